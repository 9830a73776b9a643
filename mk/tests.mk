# Tests. tests/unit/*.c are programs that print `ok NAME` or `FAIL NAME: why` a line; tests/run-* are scripts that print the same.

UNIT_SRC := $(wildcard tests/unit/test_*.c)
UNIT_BIN := $(UNIT_SRC:%.c=$(BUILD)/%)

$(BUILD)/tests/%: tests/%.c $(BUILD)/libfioreport.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Itests/unit $(CFLAGS) $(LDFLAGS) -o $@ $< $(BUILD)/libfioreport.a $(PKG_LIBS)

-include $(UNIT_BIN:=.d)
