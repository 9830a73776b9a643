// readers.js DIR: DIR/t.md, t.asciidoc and t.html through independent readers must give back the labels of DIR/t.json.
const fs = require('fs');
const dir = process.argv[2];
const want = JSON.parse(fs.readFileSync(dir + '/t.json')).map(row => row.label);

const entities = {lt: '<', gt: '>', quot: '"', amp: '&', nbsp: ' '};
function text(html) {
    return html.replace(/<br\s*\/?>/g, '\n').replace(/<[^>]*>/g, '')
        .replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) =>
            decimal ? String.fromCodePoint(+decimal) : hex ? String.fromCodePoint(parseInt(hex, 16))
                    : entities[name] || whole);
}

function check(name, html, oneLine) {
    const rows = [...html.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)].map(m => m[1]).slice(1);
    const bad = [];
    want.forEach((label, i) => {
        const cells = [...(rows[i] || '').matchAll(/<t[dh][^>]*>([\s\S]*?)<\/t[dh]>/g)].map(m => m[1]);
        const expected = (oneLine ? label.replace(/\n/g, ' ') : label).trim();
        if (cells.length !== 2 || text(cells[0]).trim() !== expected)
            bad.push(JSON.stringify(label) + ' -> ' + JSON.stringify(cells.length ? text(cells[0]) : null));
    });
    if (rows.length !== want.length)
        bad.push(rows.length + ' rows, not ' + want.length);
    console.log(bad.length ? `FAIL ${name}: ${bad.join(', ')}` : `ok ${name}`);
}

const {marked} = require('marked');
check('marked reads every text of a md table as it is', marked.parse(fs.readFileSync(dir + '/t.md', 'utf8')));
const asciidoctor = require('asciidoctor')();
check('Asciidoctor reads every text of an asciidoc table as it is',
      asciidoctor.convert(fs.readFileSync(dir + '/t.asciidoc', 'utf8')), true);
check('an HTML table holds every text as it is', fs.readFileSync(dir + '/t.html', 'utf8'));
