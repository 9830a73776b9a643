/* test_doc: bytes of all kinds become the same clean lines. */
#include "check.h"
#include "doc.h"

#include "banned.h"

/* The lines of the document joined by `|`, each with its number. */
static void check_doc(const char *name, const char *bytes, size_t n, const char *want)
{
    struct fr_doc doc;
    char got[4000];
    size_t len = 0;
    got[0] = 0;
    fr_doc_init(&doc, name, bytes, n, NULL);
    for (size_t i = 0; i < doc.n && len < sizeof got - 300; i++)
        len += (size_t)snprintf(got + len, sizeof got - len, "%u:%.*s|", doc.lines[i].no, FR_STR(doc.lines[i].text));
    CHECK_STR(name, got, want);
    fr_doc_release(&doc);
}

#define DOC(name, text, want) check_doc(name, text, sizeof(text) - 1, want)

static void test_ends(void)
{
    DOC("LF", "a\nb\n", "1:a|2:b|");
    DOC("no final newline", "a\nb", "1:a|2:b|");
    DOC("CR LF", "a\r\nb\r\n", "1:a|2:b|");
    DOC("lone CR", "a\rb\r", "1:a|2:b|");
    DOC("progress", "10%\r20%\rdone\nb\n", "1:10%|1:20%|1:done|2:b|");
    DOC("CR CR LF", "a\r\r\nb\n", "1:a|2:b|");
    DOC("empty lines count", "\n\nb\n", "1:|2:|3:b|");
    DOC("nothing", "", "");
}

static void test_encodings(void)
{
    DOC("BOM",
        "\xef\xbb\xbf"
        "a\n",
        "1:a|");
    DOC("UTF-16LE with mark",
        "\xff\xfe"
        "a\0b\0\r\0\n\0c\0",
        "1:ab|2:c|");
    DOC("UTF-16BE with mark",
        "\xfe\xff"
        "\0a\0b\0\n\0c",
        "1:ab|2:c|");
    DOC("UTF-16LE without", "r\0e\0a\0d\0:\0 \0x\0\n\0", "1:read: x|");
    DOC("UTF-16 surrogates", "\xff\xfe\x3d\xd8\x00\xde", "1:\xf0\x9f\x98\x80|");
    DOC("UTF-16 lone surrogate",
        "\xff\xfe\x3d\xd8"
        "a\0",
        "1:\xef\xbf\xbd"
        "a|");
    DOC("ISO-8859-1", "Datens\xe4tze\n", "1:Datens\xc3\xa4tze|");
    DOC("damaged UTF-8", "\xe3\x82\xbb\xe3\x82\xbb \xe3\n", "1:\xe3\x82\xbb\xe3\x82\xbb \xef\xbf\xbd|");
    DOC("NUL bytes", "a\0b\nsome more text\n", "1:ab|2:some more text|");
    DOC("ANSI colours", "\x1b[1;32mread\x1b[0m: x\n", "1:read: x|");
    DOC("ANSI title", "\x1b]0;title\x07read\n", "1:read|");
    DOC("an image", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\1\0\0", "");
}

static void test_dirt(void)
{
    DOC("mail quote", "> a\n>> b\n> > c\n>=64=1\n", "1:a|2:b|3:c|4:>=64=1|");
    DOC("quote keeps indentation", ">   read: x\n", "1:  read: x|");
    DOC("comments", "// a\n//   b\n//c\n", "1:a|2:  b|3:c|");
    DOC("two comments are none", "// a\n// b\n", "1:// a|2:// b|");
    DOC("log prefix", "20:22:23 DEBUG| [stdout]   read: x\n20:22:24 DEBUG| [stdout] b\n20:22:24 DEBUG| [stdout] c\n",
        "1:  read: x|2:b|3:c|");
    DOC("ISO log prefix", "2024-05-01T10:00:00.123Z a\n2024-05-01T10:00:00.123Z b\n2024-05-01T10:00:01.000Z   c\n",
        "1:a|2:b|3:  c|");
    DOC("kernel log prefix", "[   12.345678] a\n[   12.345679] b\n[   13.000000] c\n", "1:a|2:b|3:c|");
    DOC("list", "- a\n- b\n- c\n- d\n", "1:a|2:b|3:c|4:d|");
    DOC("entities", "&gt;=64=0.1%, &lt;x&gt; &amp;amp; &unknown;\n", "1:>=64=0.1%, <x> &amp; &unknown;|");
    DOC("no-break blanks",
        "a\xc2\xa0"
        "b\xe2\x80\x8b"
        "c\xc2\xad"
        "d\n",
        "1:a bcd|");
    DOC("quoted-printable", "bw=3D1, iops=3D2, runt=\n=3D 3\nx\n", "1:bw=1, iops=2, runt= 3|3:x|");
    DOC("plain equals", "bw=10, iops=3D, a=20\n", "1:bw=10, iops=3D, a=20|");
    DOC("blank lines between", "a\n\nb\n\nc\n\nd\n\ne\n\nf\n\ng\n\n", "1:a|3:b|5:c|7:d|9:e|11:f|13:g|");
    DOC("paragraphs stay", "a\n\nb\n\nc\n", "1:a|2:|3:b|4:|5:c|");
    DOC("markup is left alone", "<?xml version=\"1.0\"?>\n<a>&amp;</a>\n", "1:<?xml version=\"1.0\"?>|2:<a>&amp;</a>|");
    DOC("quoted markup keeps its entities", "> <PhoronixTestSuite>\n> &amp;\n", "1:<PhoronixTestSuite>|2:&amp;|");
    DOC("around markup all is cleaned", "> a\n<PhoronixTestSuite>\n> &lt;\n</PhoronixTestSuite>\n> &lt;\n",
        "1:a|2:<PhoronixTestSuite>|3:> &lt;|4:</PhoronixTestSuite>|5:<|");
    DOC("line numbers throughout", "     1\ta\n     2\t| b\n     3\tc\n", "1:a|2:| b|3:c|");
    DOC("counted rows", "no\ta\n1\tb\n2\tc\n3\td\n", "1:no\ta|2:1\tb|3:2\tc|4:3\td|");
    DOC("all spaced", "a\n\nb\n\n\n\nc\n\nd\n\ne\n\nf\n\n", "1:a|3:b|4:|7:c|9:d|11:e|13:f|");
}

int main(void)
{
    test_ends();
    test_encodings();
    test_dirt();
    return check_failed;
}
