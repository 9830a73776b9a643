/* jsonc_whole FILE: read a JSON file whole and parse it with json-c, as most programs do. For comparison. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    FILE *in = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!in || fseek(in, 0, SEEK_END) != 0)
        return 1;
    long n = ftell(in);
    char *text = malloc((size_t)n + 1);
    rewind(in);
    if (!text || fread(text, 1, (size_t)n, in) != (size_t)n)
        return 1;
    struct json_tokener *tok = json_tokener_new();
    struct json_object *doc = json_tokener_parse_ex(tok, text, (int)n);
    size_t jobs = doc ? json_object_array_length(json_object_object_get(doc, "jobs")) : 0;
    printf("%zu jobs\n", jobs);
    json_object_put(doc);
    json_tokener_free(tok);
    free(text);
    fclose(in);
    return jobs == 0;
}
