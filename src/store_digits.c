/* store_digits.c: whole numbers as a text that SQL takes apart with substr: see store_db.h. */
#include "store_db.h"

#include "banned.h"

enum { WIDEST = 20 }; /* digits of 64 bits */

int fr_store_digits_begin(struct fr_strbuf *out, uint64_t most)
{
    int width = 1;
    for (; most >= 10; most /= 10)
        width++;
    fr_strbuf_reset(out);
    fr_strbuf_addch(out, (char)('0' + width));
    return width;
}

void fr_store_digits_add(struct fr_strbuf *out, int width, uint64_t n)
{
    char digits[WIDEST];
    for (int i = width; i-- > 0; n /= 10)
        digits[i] = (char)('0' + n % 10);
    fr_strbuf_add(out, digits, (size_t)width);
}

bool fr_store_digits_get(const char *text, size_t i, uint64_t *n)
{
    size_t width = *text > '0' && *text <= '0' + WIDEST ? (size_t)(*text - '0') : 0, from = 1 + i * width;
    *n = 0;
    if (!width || strnlen(text, from + width) < from + width)
        return false;
    for (size_t k = from; k < from + width; k++)
        *n = *n * 10 + (uint64_t)(text[k] - '0');
    return true;
}
