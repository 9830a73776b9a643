# Tests. Everything that tests prints a line `ok NAME` or `FAIL NAME: why` for each thing it saw; tests/sum adds them up.
#   tests/unit/test_*.c   programs for what no file can show
#   tests/run-*           scripts: samples against their .records, cases/, layers, the documentation
# What takes long or needs more tools (run-safety, run-apps) has a target of its own.

UNIT_SRC := $(wildcard tests/unit/*.c)
UNIT_BIN := $(UNIT_SRC:%.c=$(BUILD)/%)
SLOW     := tests/run-safety tests/run-hostile tests/run-apps
SUITES   := $(filter-out $(SLOW),$(sort $(wildcard tests/run-*)))

$(BUILD)/tests/%: tests/%.c $(BUILD)/libfioreport.a
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CPPFLAGS) -iquote tests/unit $(CFLAGS) $(LDFLAGS) -o $@ $< $(BUILD)/libfioreport.a $(PKG_LIBS)

-include $(UNIT_BIN:=.d)

# What the suites need to know: the program, the tool that lists records, and a folder for scratch.
TEST_ENV = FIOREPORT="$(CURDIR)/$(BUILD)/fioreport" RECORDS="$(CURDIR)/$(BUILD)/tests/unit/records" BUILD="$(CURDIR)/$(BUILD)" \
	CC="$(CC)" MAKE="$(MAKE)"

test: all $(UNIT_BIN)
	@$(TEST_ENV) tests/sum $(filter-out %/records,$(UNIT_BIN)) $(SUITES)

# Write what the program says now into samples' .records and the cases' files. Read the diff before you commit it.
bless: all $(UNIT_BIN)
	@$(TEST_ENV) BLESS=1 tests/sum $(SUITES)

# The man page and the completions, from the option table.
docs: all
	@$(TEST_ENV) BLESS=1 tests/run-opt

test-safety: all $(UNIT_BIN)
	@$(TEST_ENV) tests/sum tests/run-safety tests/run-hostile

test-apps: all
	@$(TEST_ENV) tests/sum tests/run-apps

# The same tests with AddressSanitizer, UndefinedBehaviorSanitizer and LeakSanitizer.
SAN_FLAGS := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
sanitize:
	@ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:exitcode=99 UBSAN_OPTIONS=print_stacktrace=1 \
	LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0 \
	$(MAKE) --no-print-directory BUILD=build-sanitize CFLAGS="$(SAN_FLAGS)" test sanitize-corpus

# Every file of the corpus, where it is there: no finding of a sanitizer, no crash, no hang.
CORPUS := $(wildcard ../shared/corpus)
sanitize-corpus: all
	@$(TEST_ENV) tests/sum tests/corpus

.PHONY: docs test-safety test-apps sanitize-corpus

# Fuzzing (clang, libFuzzer), seeded from samples and from what was found before; FUZZ_SECONDS of one job.
FUZZ_SECONDS ?= 60
FUZZ_FLAGS   := -O1 -g -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined -fno-omit-frame-pointer
FUZZ_BIN     := build-fuzz/fuzz_parsers

fuzz:
	@$(MAKE) --no-print-directory BUILD=build-fuzz CC=clang CFLAGS="$(FUZZ_FLAGS)" build-fuzz/libfioreport.a
	@clang $(CPPFLAGS) $(FUZZ_FLAGS) -std=c11 -fsanitize=fuzzer -o $(FUZZ_BIN) tests/fuzz/fuzz_parsers.c \
		build-fuzz/libfioreport.a $(PKG_LIBS)
	@sh tests/fuzz/seed build-fuzz/corpus
	@ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 $(FUZZ_BIN) -max_total_time=$(FUZZ_SECONDS) -timeout=20 \
		-rss_limit_mb=2048 -max_len=200000 -print_final_stats=1 -artifact_prefix=build-fuzz/ \
		build-fuzz/corpus tests/fuzz/corpus
