# Installing, the demo, and the keeping of the sources.

FORMAT_SRC = $(shell git ls-files --cached --others --exclude-standard '*.c' '*.h' | grep -v banned.h)

# A pkg-config file for libfioreport.
$(BUILD)/fioreport.pc: Makefile mk/install.mk include/fioreport.h
	@mkdir -p $(@D)
	@printf 'prefix=%s\nlibdir=$${prefix}/lib\nincludedir=$${prefix}/include\n\nName: fioreport\nDescription: reads storage benchmark results into SQLite, writes tables, charts and spreadsheets\nVersion: %s\nRequires: %s\nLibs: -L$${libdir} -lfioreport -lxlsxwriter -lm\nCflags: -I$${includedir}\n' \
		'$(PREFIX)' '$(VERSION)' '$(PKGS)' > $@

install: all $(BUILD)/fioreport.pc
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include \
		$(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m 755 fioreport $(DESTDIR)$(PREFIX)/bin/
	install -m 644 libfioreport.a $(DESTDIR)$(PREFIX)/lib/
	install -m 644 include/fioreport.h $(DESTDIR)$(PREFIX)/include/
	install -m 644 $(BUILD)/fioreport.pc $(DESTDIR)$(PREFIX)/lib/pkgconfig/
	install -m 644 docs/fioreport.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -m 644 completions/fioreport.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/fioreport
	install -m 644 completions/_fioreport $(DESTDIR)$(PREFIX)/share/zsh/site-functions/
	install -m 644 completions/fioreport.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/fioreport $(DESTDIR)$(PREFIX)/lib/libfioreport.a \
		$(DESTDIR)$(PREFIX)/include/fioreport.h $(DESTDIR)$(PREFIX)/lib/pkgconfig/fioreport.pc \
		$(DESTDIR)$(PREFIX)/share/man/man1/fioreport.1 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/fioreport \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_fioreport \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/fioreport.fish

demo: all
	@sh mk/demo.sh

bench: all
	@$(TEST_ENV) tests/bench/run

lint:
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
		-Iinclude -Isrc -Iparsers -Irender --suppress=missingIncludeSystem src parsers render
	@clang-format --dry-run --Werror $(FORMAT_SRC)

format:
	@clang-format -i $(FORMAT_SRC)
