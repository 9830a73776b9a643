# fioreport. One makefile, not recursive; everything that is built lies in $(BUILD), the program and the library beside it.
#
#   make            the program and the library
#   make deps       install the libraries that are missing (the only target that installs anything)
#   make demo       from samples/ to demo/: database, table, chart, spreadsheet
#   make test       all tests; the last line is `N passed, N failed`
#   make gallery    every kind of chart with hard data, into gallery/, to be looked at
#   make help       all targets

V       ?= 0
PREFIX  ?= /usr/local
DESTDIR ?=
BUILD   ?= build
CC      ?= cc

VERSION  := $(shell sed -n 's/^\#define FR_VERSION "\(.*\)"/\1/p' include/fioreport.h)
PKGS     := json-c libpcre2-8 sqlite3 cairo pangocairo expat libarchive nettle zlib
PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
PKG_LIBS   := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lxlsxwriter -lm

CFLAGS   ?= -O3 -g
# A newer compiler may warn of more: that stops the checks (.ci/run), not who builds the program.
WERROR   ?=
WARN     := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes $(WERROR)
override CPPFLAGS += -D_GNU_SOURCE -iquote include -iquote src -iquote parsers -iquote render
override CFLAGS   += -std=c11 $(WARN) -MMD -MP
# Foreign headers are not ours to warn about.
override CPPFLAGS += $(patsubst -I%,-isystem %,$(PKG_CFLAGS))

# `make V=1` shows the commands.
ifeq ($(V),0)
Q := @
SAY = @printf '  %-5s %s\n'
else
Q :=
SAY = @:
endif

# The program: what includes only fioreport.h and opt.h. Everything else is the library.
PROG_SRC := $(wildcard src/main.c src/opt*.c src/cmd_*.c)
LIB_SRC  := $(filter-out $(PROG_SRC),$(wildcard src/*.c)) $(wildcard parsers/*.c render/*.c)
PROG_OBJ := $(PROG_SRC:%.c=$(BUILD)/%.o)
LIB_OBJ  := $(LIB_SRC:%.c=$(BUILD)/%.o)

.PHONY: all deps demo gallery test test-unit test-cases sanitize fuzz bless bench lint format install uninstall clean help
.DELETE_ON_ERROR:

# Another build folder (sanitizers, clang) leaves the program beside the makefile as it is.
ifeq ($(BUILD),build)
all: fioreport libfioreport.a
else
all: $(BUILD)/fioreport $(BUILD)/libfioreport.a
endif

fioreport: $(BUILD)/fioreport
	@cp -f $< $@

libfioreport.a: $(BUILD)/libfioreport.a
	@cp -f $< $@

$(BUILD)/fioreport: $(PROG_OBJ) $(BUILD)/libfioreport.a
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(BUILD)/libfioreport.a: $(LIB_OBJ)
	@rm -f $@
	$(SAY) AR $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# schema.sql is compiled in, a string a line (one string may not be longer than 4095 characters).
$(BUILD)/schema.inc: src/schema.sql
	@mkdir -p $(@D)
	$(Q)sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n",/' $< > $@
$(BUILD)/src/store_schema.o: $(BUILD)/schema.inc
$(BUILD)/src/store_schema.o: override CPPFLAGS += -I$(BUILD)

include mk/tests.mk
include mk/install.mk

deps:
	@sh mk/deps.sh

gallery: all
	@sh mk/gallery.sh

clean:
	rm -rf $(BUILD) build-* fioreport libfioreport.a demo gallery

help:
	@sed -n 's/^#   //p' Makefile

-include $(PROG_OBJ:.o=.d) $(LIB_OBJ:.o=.d)
