/*
 * banned.h: functions that have no bounds, or no errors, are compile errors here. Include it last.
 * Instead: strbuf.h or snprintf for text, scan.h for numbers and words.
 */
#ifndef FR_BANNED_H
#define FR_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef strcpy
#undef strcat
#undef strncpy
#undef strncat
#undef strtok
#undef atoi
#undef atol
#undef atoll
#undef atof

#ifdef __GNUC__
#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf strtok strtok_r atoi atol atoll atof sscanf gets
#endif

#endif
