# azx with everything it exports and proves: docker build -t azx . && docker run --rm -v "$PWD:/work" azx export net.h5
# The page: docker run --rm --network host -v "$PWD:/work" azx serve net.h5 --no-browser
# Base images go by digest, each of its whole list of platforms; the tag beside it says what that is.
FROM node:20-bookworm-slim@sha256:2cf067cfed83d5ea958367df9f966191a942351a2df77d6f0193e162b5febfc0 AS page
WORKDIR /src/apps/web
COPY apps/web/package.json apps/web/package-lock.json apps/web/.npmrc* ./
RUN node -e "process.exit(process.version.startsWith('v20.') ? 0 : 1)" && npm ci --no-audit --no-fund --ignore-scripts
COPY . /src
RUN npm run build && npm ci --prefix /src/validate/runners/tfjs_node --no-audit --no-fund --ignore-scripts

FROM python:3.12-slim-bookworm@sha256:782412e85d0f0984994c290652577d4018aff08145c85b262bb63dc0c7522254
COPY --from=page /usr/local/bin/node /usr/local/bin/node
WORKDIR /src
RUN python -c "import sys; sys.exit(sys.version_info[:2] != (3, 12))"
COPY requirements/py312.lock requirements/
# Training's exact solver of Connect4 is under the AGPL, which binds whoever passes it on: an image has none of it.
RUN pip install --no-cache-dir --no-deps --require-hashes --only-binary :all: -r requirements/py312.lock && \
  pip uninstall --yes bitbully bitbully-databases
COPY . .
RUN mkdir -p /usr/share/doc/azx && cp LICENSE /usr/share/doc/azx && python -P release/image.py /usr/share/doc/azx/notices.txt
COPY --from=page /src/apps/web/dist mobile_assets/web
RUN pip install --no-cache-dir --no-build-isolation --no-deps .
# What runs TF.js as browsers do: with it TF.js is proved in its own runtime.
COPY --from=page /src/validate/runners/tfjs_node/node_modules \
  /usr/local/lib/python3.12/site-packages/azx/validate/runners/tfjs_node/node_modules
# Who runs azx owns what it writes: docker run --user "$(id -u):$(id -g)" keeps your own files yours.
RUN useradd --create-home azx
USER azx
WORKDIR /work
ENTRYPOINT ["azx"]
CMD ["--help"]
