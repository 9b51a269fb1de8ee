#!/usr/bin/env bash
# npm run failover:drill: runs Nectar over two PostgreSQL servers under Patroni on this machine, takes the primary away three
# times while it is written to, and restores a moment from the backups. It ends with 1 if something is wrong after.
set -euo pipefail
export LC_ALL=C TZ=UTC
HERE=$(cd "$(dirname "$0")" && pwd)
WRITERS=${1:-20} # each sends up to five writes a second
BIN=/usr/lib/postgresql/15/bin
export PATH=$PATH:$BIN:/usr/sbin
MAX_UNAVAILABLE=30 STEADY=10 # seconds
PEOPLE=10500 ACTIVE=300      # the award takes two batches for all of them; the active ones send requests
missing=()
for of in postgres:postgresql-15 patroni:patroni etcd:etcd-server haproxy:haproxy pgbackrest:pgbackrest jq:jq; do
  command -v "${of%%:*}" >/dev/null || missing+=("${of##*:}")
done
[ ${#missing[@]} = 0 ] || { echo "The drill needs: apt-get install ${missing[*]}" && exit 1; }
FOLDER=$(mktemp -d -t nectar-failover-XXXXXX)
# Every program that the drill starts names the folder among its arguments.
end() {
  touch "$FOLDER/stop"
  grep -lsFf <(echo "$FOLDER") /proc/[0-9]*/cmdline | cut -d/ -f3 | xargs -r kill -9 2>/dev/null || true
  sleep 1 && rm -rf "$FOLDER"
}
trap end EXIT && trap 'exit 1' INT TERM
problems=0
problem() { problems=$((problems + 1)) && echo "$*"; }
fail() { echo "$*" && exit 1; }
# Runs a command until it succeeds, for two minutes at most.
await() {
  local until=$((SECONDS + 120))
  until "${@:2}" >/dev/null 2>&1; do
    ((SECONDS < until)) || fail "It is not true after 120 s that $1."
    sleep 0.25
  done
}
start() { (cd "$FOLDER" && exec setsid "${AS[@]}" "${@:2}" >>"$FOLDER/$1.log" 2>&1) & disown; }
AS=()
[ "$(id -u)" != 0 ] || { AS=(setpriv --reuid=postgres --regid=postgres --clear-groups) && chown postgres: "$FOLDER"; }
# --- two PostgreSQL servers under Patroni, an etcd and a HAProxy, on free ports
read -r etcd peer entry port_one rest_one port_two rest_two api restored < <(node -e '
  const servers = Array.from({ length: 9 }, () => require("net").createServer().listen(0, "127.0.0.1"));
  setTimeout(() => { console.log(...servers.map((s) => s.address().port)); process.exit(); }, 200)')
URL=http://127.0.0.1:$api
secret() { openssl rand -hex 24; }
PASSWORD=$(secret) API_PASSWORD=$(secret) JWT_SECRET=$(secret) CRON_SECRET=$(secret)
address() { echo "postgres://postgres:$PASSWORD@127.0.0.1:$1/postgres"; }
# Copies a file of this folder, with values for what stands in angle brackets.
settle() {
  local pair text && text=$(<"$HERE/$1")
  for pair in "${@:3}"; do text=${text//"<${pair%%=*}>"/${pair#*=}}; done
  echo "$text" >"$FOLDER/$2"
}
for name in one two; do
  port=port_$name rest=rest_$name
  values=(folder="$FOLDER" name=$name data="$FOLDER/$name" host=127.0.0.1 network=127.0.0.1/32 port=${!port}
    restPort=${!rest} etcd=127.0.0.1:$etcd localAccess=trust programs=$BIN password="$PASSWORD" backups="$FOLDER/$name.conf")
  settle patroni.yml $name.yml "${values[@]}"
  settle pgbackrest.conf $name.conf "${values[@]}"
done
settle haproxy.cfg haproxy.cfg entry=127.0.0.1:$entry one=127.0.0.1:$port_one restOne=$rest_one \
  two=127.0.0.1:$port_two restTwo=$rest_two
start etcd etcd --data-dir="$FOLDER/etcd" --listen-peer-urls=http://127.0.0.1:$peer \
  --listen-client-urls=http://127.0.0.1:$etcd --advertise-client-urls=http://127.0.0.1:$etcd
start haproxy haproxy -db -f "$FOLDER/haproxy.cfg"
for name in one two; do start patroni patroni "$FOLDER/$name.yml"; done
is() { local rest=rest_$1 && curl -fs -m 2 "http://127.0.0.1:${!rest}/$2"; }
is_ready() { { is one primary && is two synchronous; } || { is two primary && is one synchronous; }; }
primary() { is one primary >/dev/null && echo one || echo two; }
other() { [ "$1" = one ] && echo two || echo one; }
await "one server leads and the other one follows" is_ready
sql() { psql -X -q -A -t -v ON_ERROR_STOP=1 "$(address $entry)" "$@"; }
backrest() {
  (cd "$FOLDER" && "${AS[@]}" pgbackrest --stanza=nectar --config="$FOLDER/$(primary).conf" "$@") >>"$FOLDER/backrest.log" 2>&1 ||
    fail "pgBackRest failed: $(tail -3 "$FOLDER/backrest.log")"
}
echo "Two PostgreSQL servers follow each other."
# --- the service, its people, and a backup
cd "$HERE/../.."
node -e 'import("./local/database/local-migrations.ts").then((m) => m.migrateLocally(process.argv[1]))' "$(address $entry)"
sql >"$FOLDER/rows" <<SQL
alter role nectar_api with login password '$API_PASSWORD';
insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
  select gen_random_uuid(), n || '@drill.test', now(), '{"full_name": "Ada"}' from generate_series(1, $PEOPLE) n;
update nectar.encouragement_config set daily_allowance = 100, max_custom_drops_per_day = 100;
create table public.active as select id from auth.users where email <> '1@drill.test' limit $ACTIVE;
insert into nectar.tone_packs (owner_id, name, theme, is_public, price_drops)
  select id, 'Pack ' || n, 'nature', true, 1 from auth.users, generate_series(1, 50) n where email = '1@drill.test';
analyze;
SQL
mapfile -t people < <(sql -c "select id from public.active")
mapfile -t packs < <(sql -c "select id from nectar.tone_packs")
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d =; }
# An access token as Supabase Auth signs it with a shared secret.
token() {
  local claims="{\"sub\":\"$1\",\"aud\":\"authenticated\",\"role\":\"authenticated\",\"exp\":$((EPOCHSECONDS + 7200))}"
  claims="$(printf '{"alg":"HS256","typ":"JWT"}' | base64url).$(printf %s "$claims" | base64url)"
  echo "$claims.$(printf %s "$claims" | openssl dgst -sha256 -hmac "$JWT_SECRET" -binary | base64url)"
}
mapfile -t tokens < <(for id in "${people[@]}"; do token "$id"; done)
DATABASE_URL=postgres://nectar_api:$API_PASSWORD@127.0.0.1:$entry/postgres SUPABASE_URL=$URL \
  SUPABASE_JWT_SECRET=$JWT_SECRET SUPABASE_JWT_ISSUER=none PORT=$api SCHEDULER=off DROPS_CRON_SECRET=$CRON_SECRET \
  node functions/start.ts "$FOLDER" >"$FOLDER/service.log" 2>&1 &
disown
await "the service is ready" curl -fs "$URL/health/ready"
backrest stanza-create
backrest backup --type=full
echo "The service is ready, and there is a backup."
# --- writes: a repeated one has the same Idempotency-Key, which also stands in what it writes
send() { # writer, index of the person, kind, path, body, key
  local code
  while :; do
    code=$(curl -s -m 30 -o "$FOLDER/response-$1" -w '%{http_code}' "$URL/api/$4" -d "$5" \
      -H "authorization: Bearer ${tokens[$2]}" -H 'content-type: application/json' -H "idempotency-key: $6") || true
    echo "$EPOCHREALTIME $code $3" >>"$FOLDER/requests-$1"
    case $code in
      20?) echo "$3,$(jq -r ".$3.id" "$FOLDER/response-$1")" >>"$FOLDER/acknowledged-$1" && return ;;
      503) sleep 0.5 ;;
      [1-4]??) return ;;
    esac
  done
}
write() { # writer
  local pack p kind key neighbor path body
  for pack in "${packs[@]}"; do
    for ((p = $1; p < ACTIVE; p += WRITERS)); do
      for kind in entry drop entry purchase; do
        [ ! -e "$FOLDER/stop" ] || return 0
        key=$(</proc/sys/kernel/random/uuid) neighbor=${people[(p + 1) % ACTIVE]}
        case $kind in
          entry) path=journal body="{\"title\":\"$key\",\"content\":\"To the lake.\"}" ;;
          drop) path=encouragement-drops/send body="{\"recipient_id\":\"$neighbor\",\"content\":\"$key\"}" ;;
          purchase) path=tone-packs/$pack/purchase body={} ;;
        esac
        send "$1" "$p" $kind "$path" "$body" "$key" && sleep 0.15
      done
    done
  done
}
writers=()
for ((writer = 0; writer < WRITERS; writer++)); do write $writer & writers+=($!); done
# --- the events
award() { curl -s -X POST -H "x-cron-secret: $CRON_SECRET" "$URL/api/drops/cron/award-monthly-all" | grep -q '"done"'; }
kill_postgres() {
  # The monthly award has committed its first batch, and its last one waits for an account that a connection locks.
  local port=port_$1 lock='select from nectar.accounts order by user_id desc limit 1 for update'
  psql -X -q "$(address ${!port})" -c "begin; $lock; select pg_sleep(120)" >/dev/null 2>&1 &
  (until award; do sleep 1; done) &
  awarding=$!
  await "the last batch of the award waits" sql_says \
    "exists (select from nectar.monthly_drop_awards) and exists (select from pg_locks where not granted)"
  kill -9 "$(head -1 "$FOLDER/$1/postmaster.pid")"
}
sql_says() { [ "$(sql -c "select $1")" = t ]; }
kill_patroni() { pkill -9 -f "patroni $FOLDER/$1.yml"; }
switch_over() { local rest=rest_$1 && curl -fs "http://127.0.0.1:${!rest}/switchover" -d "{\"leader\":\"$1\"}" >/dev/null; }
for event in kill_postgres kill_patroni switch_over; do
  sleep $STEADY
  from=$EPOCHSECONDS leading=$(primary)
  $event "$leading"
  await "another server leads" is "$(other "$leading")" primary
  [ $event != kill_patroni ] || start patroni patroni "$FOLDER/$leading.yml"
  await "one server leads and the other one follows" is_ready
  sleep $STEADY
  took=$(cat "$FOLDER"/requests-* | sort -n |
    awk -v from="$from" '$2 == 503 && $1 >= from { if (!first) first = $1; last = $1 } END { printf "%.1f", last - first }')
  echo "$event: 503 for $took s"
  ((${took%.*} < MAX_UNAVAILABLE)) || problem "$event: 503 for $took s."
done
touch "$FOLDER/stop"
wait "${writers[@]}" "$awarding"
# --- what is there now
cat "$FOLDER"/acknowledged-* >"$FOLDER/acknowledged"
IFS='|' read -r lost doubled < <(sql -c "create temp table acknowledged (kind text, id uuid)" \
  -c "\\copy acknowledged from '$FOLDER/acknowledged' csv" -f "$HERE/compare-writes.sql")
echo "$(wc -l <"$FOLDER/acknowledged") writes acknowledged, $lost lost, $doubled doubled"
((lost + doubled == 0)) || problem "Acknowledged writes are lost or doubled."
others=$(cat "$FOLDER"/requests-* | awk '$2 !~ /^(20.|503)$/ { n[$2 " " $3]++ } END { for (k in n) print n[k], k }')
[ -z "$others" ] || problem "Other responses: $others"
sql_says "exists (select from private.job_runs where job = 'monthly-drops' and succeeded is not true)" ||
  problem "The award was not interrupted."
sql_says "not exists (select id from nectar.profiles where not is_ai except select user_id from nectar.monthly_drop_awards)" ||
  problem "The award has left people out."
sql_says "ok from private.reconcile_drops()" || problem "The ledger is not reconciled."
# --- a moment before a deletion, from the backup
facts="select count(*), (select sum(drops_balance) from nectar.accounts) from nectar.journal_entries"
before=$(sql -c "$facts") moment=$(sql -c "select now()")
sleep 1
sql -c "set client_min_messages = error; truncate nectar.journal_entries cascade; update nectar.accounts set drops_balance = 0"
backrest check
backrest restore --type=time --target="$moment" --target-action=promote --archive-mode=off --pg1-path="$FOLDER/restored"
start restored postgres -D "$FOLDER/restored" -c port=$restored -c listen_addresses=127.0.0.1 -c unix_socket_directories= \
  -c synchronous_standby_names=
entry=$restored
await "the restored server has reached the moment" sql_says "not pg_is_in_recovery()"
[ "$(sql -c "$facts")" = "$before" ] || problem "Restored: $(sql -c "$facts") instead of $before."
sql_says "ok from private.reconcile_drops()" || problem "Restored: the ledger is not reconciled."
[ $problems = 0 ] || exit 1
echo "Nothing was lost."
