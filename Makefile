# `make demo` and `make test` set everything up by themselves in .venv; all they need is Python 3.11, 3.12 or 3.13.
# Another Python than python3: `make demo PYTHON=python3.12`.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(BIN)/python -P
PY := $(shell $(PYTHON) -c 'import sys; print("%d%d" % sys.version_info[:2])' 2>/dev/null)
LOCK := requirements/py$(PY).lock
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
UV := build/uv/bin/uv
UV_VERSION := 0.13.8
NODE_RUNNER := validate/runners/tfjs_node
WEB_APP := apps/web
ANDROID_APP := apps/android
IOS_APP := apps/ios
APK := $(ANDROID_APP)/app/target/azx-debug.apk
# Whatever Maven takes from elsewhere must have the SHA-256 that is committed: CHECKSUMS_ADD=true adds what has none yet.
CHECKSUMS := $(ANDROID_APP)/checksums
CHECKSUMS_ADD ?= false
MVN := mvn -B -ntp -f $(ANDROID_APP)/pom.xml -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
  -Dmaven.ext.class.path='$(CURDIR)/build/maven-checksums' -Dazx.checksums='$(CURDIR)/$(CHECKSUMS)/maven.sha256' \
  -Dazx.checksums.add=$(CHECKSUMS_ADD)
MYPY_ROOT := build/mypy/azx
# $(call install-bundles,APP): put the bundles of the shipped checkpoints where the app's build expects them
install-bundles = @for bundle in build/bundles/*; do $(BIN)/azx install "$$bundle" $(1); done
PACKAGES := $(patsubst %/__init__.py,%,$(filter-out build/%,$(wildcard */__init__.py)))

.PHONY: help
help:  ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 20

.PHONY: demo
demo: setup  ## export the shipped Connect4 network to five formats, proved equal, and prove the bundle again
	$(BIN)/azx export
	$(BIN)/azx validate
	@echo "Next: play it in the browser: make web, then $(BIN)/azx serve"

# The tests by files on all cores, at most four: more would take more memory than they save time. In the order of
# tests/conftest.py: xdist's own, files of many tests first, leaves the longest ones, which have few, for the end.
PYTEST := $(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

# A test that fails is run once more, alone: at once, or at the end of a run of several, which AZX_AGAIN is a folder of.
AGAIN := $(PYTHON) -P '$(CURDIR)/.ci/again'
REPORTS ?= build/tests

.PHONY: test
test: setup  ## run the quick tests, then the smoke tests against the built wheel
	@rm -rf build/tests && mkdir -p build/tests
	AZX_AGAIN='$(CURDIR)/build/tests' $(AGAIN) run pytest build/tests/tests.xml -- $(PYTEST) -m 'not whole'
	@AZX_AGAIN='$(CURDIR)/build/tests' $(MAKE) --no-print-directory smoke
	@echo "Each test that failed now runs once more, alone; if it passes, it is named as flaky, and three may be."
	@$(AGAIN) end build/tests
	@echo "All tests: make test-all. The apps have their own: make test-web (Node, Chromium), make test-android (Maven,"
	@echo "JDK 17), make test-ios (Swift; root on a Debian machine needs none)."

.PHONY: test-all pytest-all
test-all: pytest-all smoke  ## run all tests on the tree, then the smoke tests against the built wheel

pytest-all: setup
	$(AGAIN) run pytest $(REPORTS)/tests.xml -- $(PYTEST)

# Against another commit, or all that a branch has: `make test-changed BASE=main`.
BASE ?= HEAD
.PHONY: test-changed
test-changed: setup  ## run the tests that have to do with what differs from the commit BASE (HEAD)
	@files=$$($(BIN)/python -P tests/support/changed.py $(BASE)); \
	if [ -n "$$files" ]; then echo "Testing $$files"; $(PYTEST) $$files; else echo "No test has to do with it."; fi

# Core AI's wheels are made for few systems, none of the lock's others needs them: they have a lock of their own.
.PHONY: coreai
coreai: setup  ## add Apple's Core AI to .venv, where there is a wheel for this system
	$(PIP) -q install --no-deps --require-hashes -r requirements/coreai.lock

.PHONY: test-coreai
test-coreai: coreai  ## test Core AI: the writer and the runner; afterwards make test-all plants faults in its assets too
	$(AGAIN) run pytest $(REPORTS)/coreai.xml -- $(BIN)/pytest tests/export/formats/test_to_coreai.py tests/export/formats/test_formats.py -k 'coreai or core_ai'

.PHONY: smoke
smoke: setup  ## build the wheel, install it aside and run the smoke tests against it from another folder
	rm -rf build/lib build/bdist.* build/wheel build/wheel-site
	$(PIP) -q wheel --no-build-isolation --no-deps --wheel-dir build/wheel .
	$(PIP) -q install --no-deps --target build/wheel-site build/wheel/azx_export-*.whl
	cd build/wheel && $(AGAIN) run pytest smoke.xml -- \
	  env AZX_WHEEL_SITE='$(CURDIR)/build/wheel-site' PYTHONPATH='$(CURDIR)/build/wheel-site' \
	  '$(CURDIR)/$(BIN)/pytest' -m smoke -p no:cacheprovider $$(grep -rl --include='test_*.py' 'mark[.]smoke' ../../tests)

# Browsers take no .br over plain http, what is packed by gzip need not be there twice, and the page has each network in
# the precision that it plays: the wheel has its size.
.PHONY: wheel
wheel: wheel-needs web  ## build the wheel with the web app in it, to dist/: what is published, and what strangers install
	rm -rf build/lib build/bdist.* mobile_assets/web
	cp -r $(WEB_APP)/dist mobile_assets/web
	find mobile_assets/web -name '*.br' -delete
	$(RUN) -m azx.mobile_assets.page_bundles mobile_assets/web
	find mobile_assets/web -name '*.wasm.gz' | sed 's/[.]gz$$//' | xargs rm -f
	trap 'rm -rf mobile_assets/web' EXIT; $(PIP) -q wheel --no-build-isolation --no-deps --wheel-dir dist .
	@stat -c '%n: %s bytes' dist/azx_export-*.whl
	@$(RUN) release/account.py dist/azx_export-*.whl

# Whoever publishes says where azx lives: `make release AZX_REPOSITORY=https://github.com/OWNER/azx`.
export AZX_REPOSITORY
.PHONY: release
release: wheel-needs web web-library android-library android-wheel apk build/release-tools/.installed build/release-npm/.installed  ## build what is published to dist/release, check it, and say what a person still has to do
	$(RUN) release/build.py

# Tools that azx itself does not need have folders of their own: those that look at a release, and the documentation's.
build/release-tools/.installed build/site-tools/.installed: build/%-tools/.installed: requirements/%.lock | python
	$(PYTHON) -m venv --clear $(@D)
	$(@D)/bin/python -m pip --disable-pip-version-check -q install --no-deps --require-hashes --only-binary :all: -r $<
	@touch $@

build/release-npm/.installed: release/tools/package-lock.json
	rm -rf $(@D) && mkdir -p $(@D) && cp release/tools/package*.json release/tools/.npmrc $(@D)
	npm ci --prefix $(@D) --no-audit --no-fund --ignore-scripts --fetch-retries=1 --loglevel=error
	@touch $@

# It asks the package indexes what is known of each locked version. Make ends with 2 whatever happens; the script with 1 if
# it found something, and with 3 if an index did not answer.
.PHONY: audit audit-tools
audit-tools: build/release-tools/.installed
audit: audit-tools  ## ask for known flaws of all that is locked, and look for weak places in the workflows
	@$(PYTHON) -P release/audit.py

.PHONY: wheel-needs
wheel-needs:
	@echo "The first time this takes 3.4 GB of disk: Python packages 3.0 GB, npm packages 0.3 GB, networks and page 0.1 GB."
	@echo "Setting up takes one to five minutes; five exports with proof and the page take some minutes more."

.PHONY: sizes
sizes: wheel  ## install the wheel's core and extras in folders of their own and say how large each is
	$(RUN) requirements/sizes.py dist/azx_export-*.whl

.PHONY: platforms
platforms: $(UV)  ## look for wheels of everything that azx needs, for Linux, macOS and Windows; nothing is installed
	bash requirements/platforms.sh $(UV)

.PHONY: lint
lint: setup mypy-root  ## ruff, mypy strict and who may import whom, as in CI
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	MYPYPATH=build/mypy $(BIN)/mypy -p azx
	MYPYPATH=build/mypy $(BIN)/mypy --no-incremental tests $(wildcard benchmarks)
	$(BIN)/lint-imports --no-logo --no-cache

# The repository root is the package, and mypy names modules by folder: give it a folder called azx.
# Links to the packages one by one, not to the root, or it would walk into .venv and into build itself.
.PHONY: mypy-root
mypy-root:
	@rm -rf $(MYPY_ROOT) && mkdir -p $(MYPY_ROOT)
	@cd $(MYPY_ROOT) && for part in $(wildcard *.py) py.typed $(PACKAGES); do ln -s "../../../$$part" .; done

.PHONY: bench
bench: setup  ## measure against the official conversion routes
	@for script in benchmarks/*.py; do echo "== $$script"; $(RUN) "$$script"; done

# Every point, or each EVERY-th: `make kills EVERY=20`.
EVERY ?= 1
.PHONY: kills
kills: setup  ## end real exports, matches, sweeps, watches and runs, for hours, the first two at each thing that they do with files; the tests do so without converters
	AZX_KILLS=$(EVERY) $(BIN)/pytest tests/kills tests/sweeps/test_sweep_kills.py tests/watch/test_watch_kills.py tests/runs/test_train_kills.py

# How many mutants of each kind: `make fuzz AZX_FUZZ=100000`.
AZX_FUZZ ?= 20000
.PHONY: fuzz
fuzz: setup  ## read AZX_FUZZ broken checkpoints and manifests (20000): each is read or refused in a sentence
	AZX_FUZZ=$(AZX_FUZZ) $(BIN)/pytest --timeout 0 tests/fuzz

.PHONY: docs
docs: setup  ## write what is made of docs: cli.md, apps.md, the table of manifest.json; and the keywords of Python
	$(RUN) -m azx.commands.cli_reference > build/cli.md
	mv build/cli.md docs/cli.md
	$(BIN)/python -P tests/support/apps_table.py
	$(BIN)/python -P tests/support/keywords.py
	$(BIN)/python -P tests/support/manifest_table.py
	$(RUN) release/site_pages.py house

.PHONY: site
site: setup web-packages build/site-tools/.installed  ## build the documentation as a site to build/site: strict, links checked, searched offline
	$(RUN) release/site_pages.py
	NO_MKDOCS_2_WARNING=1 build/site-tools/bin/python -m mkdocs build --quiet --config-file mkdocs.yml
	node release/questions.mjs build/site

# In the time that a check has: `make tutorial MINUTES=0.2`. LEAVE_OUT=apk without Maven.
.PHONY: tutorial type-tutorial
tutorial: setup web $(if $(filter apk,$(LEAVE_OUT)),,android-wheel) type-tutorial  ## type docs/tutorial.md word by word in an empty folder

type-tutorial: setup
	rm -rf build/tutorial-site && mkdir -p build/tutorial-site
	$(if $(filter apk,$(LEAVE_OUT)),,$(PIP) -q install --no-deps --target build/tutorial-site dist/azx_export_android-*.whl)
	PYTHONPATH='$(CURDIR)/build/tutorial-site' $(RUN) release/tutorial.py \
	  $(if $(MINUTES),--minutes $(MINUTES)) $(if $(LEAVE_OUT),--leave-out $(LEAVE_OUT))

.PHONY: bundles
bundles: setup  ## export the shipped checkpoints to build/bundles, those that are not up to date
	$(RUN) -m azx.mobile_assets.shipped_bundles

.PHONY: web
web: bundles web-packages  ## build the web app, with the bundles of the shipped checkpoints, to apps/web/dist
	$(call install-bundles,$(WEB_APP))
	npm run --prefix $(WEB_APP) build

.PHONY: web-library
web-library: web-packages  ## pack azx-play, which plays bundles in a web app of your own, to dist/ (docs/in-your-app.md)
	npm run --prefix $(WEB_APP) build:play
	rm -rf build/azx-play && mkdir -p build/azx-play dist
	cp -r LICENSE $(addprefix $(WEB_APP)/play/,README.md package.json dist) build/azx-play
	cd dist && npm pack --silent --ignore-scripts ../build/azx-play

.PHONY: lint-web
lint-web: web-packages  ## lint the web app: biome, with the floors held by its rules
	npm run lint --prefix $(WEB_APP)

# $(call vitest-junit,NAME): report to a file too
vitest-junit = --reporter=default --reporter=junit --outputFile.junit='$(abspath $(REPORTS))/$(1).xml'

.PHONY: test-web
test-web: lint-web web  ## test the web app: its code linted, its engine in Node, its page in Chromium
	$(AGAIN) run vitest $(REPORTS)/engine.xml -- npm test --prefix $(WEB_APP) -- $(call vitest-junit,engine)
	$(AGAIN) run vitest $(REPORTS)/page.xml -- npm run test:e2e --prefix $(WEB_APP) -- $(call vitest-junit,page)

# The texts of an app and its tables, in its own form: written where apps/texts or games/data has changed.
.PHONY: android-texts ios-texts
android-texts ios-texts: %-texts: | python
	@$(PYTHON) -P apps/tools/write_texts.py $*

.PHONY: android
android: android-texts bundles  ## put the bundles of the shipped checkpoints into the Android app, for Android Studio and Maven alike
	$(call install-bundles,$(ANDROID_APP))

.PHONY: lint-android format-android
lint-android: maven android-texts  ## ktlint on the Android app's Kotlin; make format-android puts right what it can
	$(MVN) -N -Plint validate

format-android: maven
	$(MVN) -N -Plint -Dktlint.flags=--format validate

# Beside other work one JVM does: `make test-android FORKS=1`.
FORKS ?=
.PHONY: test-android
test-android: lint-android android others  ## test the Android app on this machine: its screens in Robolectric, its networks in TFLite
	$(AGAIN) run maven '$(ANDROID_APP)/**/target/surefire-reports/TEST-*.xml' -- \
	  $(MVN) $(if $(FORKS),-Dazx.forks=$(FORKS)) -Dorg.slf4j.simpleLogger.log.org.apache.maven.plugin.surefire=info test

# Networks by other people, for the apps' tests: `make test-android OTHERS=path/to/net.h5`, and likewise test-ios.
OTHERS ?=
.PHONY: others
others: setup
	@for file in $(OTHERS); do \
	  folder=build/others/$$(basename "$$file" .h5); \
	  [ "$$folder/manifest.json" -nt "$$file" ] && grep -q '"desktop"' "$$folder/manifest.json" || \
	    $(BIN)/azx export --format tflite --format onnx --output "$$folder" "$$file"; \
	done

.PHONY: apk
apk: maven android  ## pack the Android app with the shipped bundles, signed with your debug key
	$(MVN) -Papk -pl play,app -Dmaven.test.skip package
	@stat -c '$(APK): %s bytes' $(APK)

# Shrunk by R8, with no network in it.
PREPARED := $(ANDROID_APP)/app/target/android/release/unsigned.apk
.PHONY: android-wheel
android-wheel: maven setup android-texts  ## build the wheel with the prepared app for azx apk, to dist/ (docs/apk.md)
	rm -rf build/android-wheel && mkdir -p build/android-wheel/no-networks dist
	$(MVN) -Papk,release -pl play,app -Dmaven.test.skip -Dassets='$(CURDIR)/build/android-wheel/no-networks' package
	cp -r $(ANDROID_APP)/wheel build/android-wheel/package
	cp LICENSE build/android-wheel/package && cp $(PREPARED) build/android-wheel/package/azx_export_android/app.apk
	$(PIP) -q wheel --no-build-isolation --no-deps --wheel-dir dist build/android-wheel/package
	@stat -c '%n: %s bytes' dist/azx_export_android-*.whl

# The network of `make newcomer`: one of yours, or one that azx ships.
NET ?= mobile_assets/checkpoints/connect4.h5
.PHONY: newcomer
newcomer: wheel android-wheel  ## type page, apk, engine and match from the wheels in an empty environment: `make newcomer NET=path/to/net.h5`
	$(BIN)/python -P release/newcomer.py '$(NET)' dist/azx_export-*.whl dist/azx_export_android-*.whl

.PHONY: android-library
android-library: maven android-texts  ## pack azx-play for Android, which plays bundles in an app of your own, as a jar and an AAR (docs/in-your-app.md)
	$(MVN) -Plibrary -pl play -Dmaven.test.skip package
	@stat -c '%n: %s bytes' $(ANDROID_APP)/play/target/azx-play-*.?ar

# What a new version of a part brings: look at the lines that come, for they are believed from then on.
.PHONY: maven-checksums
maven-checksums:  ## add the checksums of what Maven takes from elsewhere and azx has none of
	$(MAKE) lint-android apk android-wheel android-library test-android CHECKSUMS_ADD=true
	LC_ALL=C sort -k 2 -o $(CHECKSUMS)/maven.sha256 $(CHECKSUMS)/maven.sha256

.PHONY: ios
ios: ios-texts bundles  ## put the bundles of the shipped checkpoints into the iOS app, for Xcode
	$(call install-bundles,$(IOS_APP))

.PHONY: test-ios
test-ios: ios-texts bundles others  ## test the iOS app: its package in this machine's Swift, or in one that lies in a folder with Debian 13
	@if why=$$($(IOS_APP)/tools/swift.sh --check); then \
	  $(IOS_APP)/tools/app.sh && if [ "$$(uname)" = Linux ]; then $(IOS_APP)/tools/outside.sh; fi && \
	  $(AGAIN) run swift '$(IOS_APP)/.build/tests*.xml' -- \
	    $(IOS_APP)/tools/swift.sh test --disable-xctest --xunit-output .build/tests.xml; \
	else echo "test-ios was left out: $$why"; fi

.PHONY: fixtures
fixtures: setup  ## write the golden files that every engine is tested against
	PYTHONPATH=tests/support $(RUN) -m golden.files

.PHONY: oracle
oracle: setup  ## play 10,000 random games of each game against OpenSpiel
	$(RUN) tests/oracle/random_games.py

.PHONY: strength
strength: setup  ## measure how strong the shipped checkpoints are (Go needs gnugo)
	$(RUN) -m azx.training.strength

TRAINED := connect4 tictactoe dots-and-boxes gomoku go
.PHONY: $(TRAINED:%=train-%)
$(TRAINED:%=train-%): train-%: setup  ## train one of the shipped checkpoints again (train-connect4, train-go, ...)
	$(RUN) -m azx.training.$(subst -,_,$*)

.PHONY: lock
lock: $(UV)  ## resolve the three locks again
	@for minor in 11 12 13; do \
	  $(UV) pip compile --quiet --upgrade --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
	    --python-version 3.$$minor --override requirements/overrides.txt --custom-compile-command "make lock" \
	    requirements/requirements.in --output-file requirements/py3$$minor.lock > /dev/null; \
	  echo "requirements/py3$$minor.lock"; \
	done
	@$(UV) pip compile --quiet --upgrade --generate-hashes --no-deps --no-emit-index-url --no-emit-find-links \
	  --python-version 3.11 --python-platform x86_64-manylinux_2_34 --custom-compile-command "make lock" \
	  requirements/coreai.in --output-file requirements/coreai.lock > /dev/null
	@echo requirements/coreai.lock
	@for name in release site; do \
	  $(UV) pip compile --quiet --upgrade --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
	    --python-version 3.11 --custom-compile-command "make lock" \
	    requirements/$$name.in --output-file requirements/$$name.lock > /dev/null; \
	  echo "requirements/$$name.lock"; \
	done

$(UV): | python
	$(PYTHON) -m venv build/uv
	build/uv/bin/python -m pip --disable-pip-version-check -q install uv==$(UV_VERSION)

.PHONY: clean
clean:  ## remove everything that make has made, .venv included
	rm -rf $(VENV) build dist *.egg-info $(NODE_RUNNER)/node_modules .pytest_cache .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- set-up ---------------------------------------------------------------------------------------------------------

.PHONY: setup
setup: $(VENV)/.installed-$(PY) node-packages

.PHONY: python
python:
	@case '$(PY)' in \
	  311|312|313) ;; \
	  '') echo "azx needs Python 3.11, 3.12 or 3.13, and '$(PYTHON)' does not run: say which one with 'make PYTHON=python3.12 ...'." >&2; exit 1 ;; \
	  *) echo "azx needs Python 3.11, 3.12 or 3.13, and $$($(PYTHON) --version 2>&1) is '$(PYTHON)': say which one with 'make PYTHON=python3.12 ...'." >&2; exit 1 ;; \
	esac

# One stamp for the locked packages, one for azx itself: an edit of pyproject.toml does not check the lock again.
$(VENV)/.locked-$(PY): $(LOCK) | python
	@echo "Setting up $(VENV) with $$($(PYTHON) --version): TensorFlow and the converters, about 2.5 GB, some minutes once."
	@[ "$$($(BIN)/python -c 'import sys; print("%d%d" % sys.version_info[:2])' 2>/dev/null)" = '$(PY)' ] || $(PYTHON) -m venv --clear $(VENV)
	$(PIP) -q install --no-deps --require-hashes --only-binary :all: -r $(LOCK)
	@touch $@

$(VENV)/.installed-$(PY): pyproject.toml $(VENV)/.locked-$(PY)
	$(PIP) -qq uninstall --yes azx  # which was its name for pip
	$(PIP) -q install --no-build-isolation --no-deps -e .
	@mkdir -p build
	@touch $@

# The TF.js runtime is optional: without it TensorFlow proves the TF.js artifact, and the report says so.
.PHONY: node-packages
node-packages: $(VENV)/.installed-$(PY)
	@if [ ! -f $(NODE_RUNNER)/package-lock.json ]; then \
	  echo "No $(NODE_RUNNER)/package-lock.json: TF.js will be proved by TensorFlow instead."; \
	elif ! command -v npm > /dev/null; then \
	  echo "npm is not installed: TF.js will be proved by TensorFlow instead of in Node."; \
	elif [ $(NODE_RUNNER)/node_modules/.package-lock.json -nt $(NODE_RUNNER)/package-lock.json ]; then :; \
	elif npm ci --prefix $(NODE_RUNNER) --no-audit --no-fund --ignore-scripts --fetch-retries=1 --loglevel=error; then :; \
	else echo "npm could not install $(NODE_RUNNER): TF.js will be proved by TensorFlow instead of in Node."; \
	fi

.PHONY: maven
maven:
	@command -v mvn > /dev/null || { echo "mvn is not installed: without Android Studio the Android app is built with Maven 3.8 or newer." >&2; exit 1; }
	@about="$$(mvn -v 2> /dev/null || true)"; java="$$(sed -nE 's/^Java version: ([0-9]+).*/\1/p' <<< "$$about")"; \
	home="$$(sed -nE 's/^Java version: .*runtime: //p' <<< "$$about")"; \
	if [ "$${java:-0}" -lt 17 ] || [ ! -x "$$home/bin/javac" ]; then \
	  echo "Maven runs on Java '$${java:-none}' in '$$home': the Android app needs a JDK, 17 or newer, as JAVA_HOME." >&2; exit 1; \
	fi; \
	folder=build/maven-checksums; [ $$folder/Checksums.class -nt $(CHECKSUMS)/Checksums.java ] || { \
	  mkdir -p $$folder/META-INF/sisu; echo Checksums > $$folder/META-INF/sisu/javax.inject.Named; \
	  "$$home/bin/javac" --release 11 -cp "$$(sed -nE 's/^Maven home: //p' <<< "$$about")/lib/*" \
	    -d $$folder $(CHECKSUMS)/Checksums.java; \
	}

.PHONY: web-packages
web-packages:
	@command -v npm > /dev/null || { echo "npm is not installed: the web app needs Node 20 or newer to be built." >&2; exit 1; }
	@[ $(WEB_APP)/node_modules/.package-lock.json -nt $(WEB_APP)/package-lock.json ] || \
	  npm ci --prefix $(WEB_APP) --no-audit --no-fund --ignore-scripts --fetch-retries=1 --loglevel=error
