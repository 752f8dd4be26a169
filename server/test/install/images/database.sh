#!/bin/sh
# The official image's steps at its start: it makes the database while PostgreSQL only listens on its socket, and starts it again for all.
set -e
if test "$(id -u)" = 0; then
  install --directory --owner=postgres --mode=0700 "$PGDATA"
  install --directory --owner=postgres --mode=3777 /var/run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --clear-groups "$0" "$@"
fi
if ! test -s "$PGDATA/PG_VERSION"; then
  printf '%s\n' "$POSTGRES_PASSWORD" > /tmp/password
  # Without setlocale of this minimal image; the encoding is that of the official one.
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --encoding=UTF8 --locale=C.UTF-8 --no-sync > /dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl --wait --options="-c listen_addresses=''" start
  test "$POSTGRES_DB" = postgres || createdb --username="$POSTGRES_USER" --no-password "$POSTGRES_DB"
  pg_ctl --wait --mode=fast stop
fi
exec "$@"
