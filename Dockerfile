# UNTESTED: there was no container runtime where this was written. The steps are those of docs/operating.md.
FROM python:3.12-slim AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --wheel-dir /wheels '.[postgres]'

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels 'yiku[postgres]' \
    && rm -r /wheels \
    && useradd --create-home --uid 10001 yiku \
    && install --directory --owner yiku --mode 0700 /data
USER yiku
ENV YIKU_DATA_DIR=/data YIKU_HOST=0.0.0.0 YIKU_LOG_FORMAT=json
VOLUME /data
EXPOSE 8787
# The name under which clients call it must be listed: docker run -e YIKU_ALLOWED_HOSTS=memory.example …
HEALTHCHECK CMD python -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8787/readyz', timeout=5)"
CMD ["yiku", "serve"]
