# The emulator of Neon with PostgreSQL 17 and 18, for the tests of applications. `make image` builds the program first.
# The digest is that of PostgreSQL 18.6, built on 19 September 2026; Dependabot proposes newer ones.
FROM postgres:18-trixie@sha256:86c951e05bf56c93d95d397747fb8820ac76cc3bedb78f43abd83eedbe3666ae
ARG TARGETPLATFORM
RUN apt-get update \
    && apt-get install -y --no-install-recommends postgresql-17 ca-certificates curl \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o postgres -g postgres /data
COPY $TARGETPLATFORM/neon-emulator /usr/local/bin/neon-emulator
USER postgres
VOLUME /data
EXPOSE 8473 5432
HEALTHCHECK --interval=2s --timeout=2s --start-period=30s --retries=3 \
    CMD curl -sSf -u ":$NEON_EMULATOR_TOKEN" -o /dev/null http://127.0.0.1:8473/_emulator/requests
ENTRYPOINT ["neon-emulator", "-expose", "-listen", "0.0.0.0:8473", "-postgres-listen", "0.0.0.0:5432", "-data", "/data"]
