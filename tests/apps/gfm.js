// gfm.js: GitHub Markdown on standard input to HTML on standard output, by the npm package marked.
const { marked } = require(process.argv[2]);
let text = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (part) => (text += part));
process.stdin.on("end", () => process.stdout.write(marked.parse(text, { gfm: true })));
