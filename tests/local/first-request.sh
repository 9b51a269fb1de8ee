#!/usr/bin/env bash
# Follows docs/self-hosting.md, "Without containers", from an empty folder to the first answered request and the first backup.
# The commands of the page run as they stand, as root, where they can reach neither the files nor the ports of this machine.
# systemctl is a stand-in that runs what the units say.
set -euo pipefail
trap 'echo "Line $LINENO failed."' ERR
HERE=$(cd "$(dirname "$0")/../.." && pwd)
# The lines of the blocks of a language in a section of the page.
lines() {
  awk -v section="## $1" -v fence="\`\`\`$2" '/^## /{on = $0 == section} /^```/{inside = on && $0 == fence; next} on && inside' \
    "$HERE/docs/self-hosting.md"
}
if [ "${1:-}" != isolated ]; then
  [ "$(id -u)" = 0 ] || { echo "Only root can hide the files of this machine from the commands." && exit 1; }
  folder=$(mktemp -d -t nectar-first-XXXXXX)
  trap 'rm -rf "$folder"' EXIT
  git clone --quiet "$HERE" "$folder/nectar" && cd "$folder/nectar"
  # The first line loads packages from npm, and runs before the others because these have no network.
  npm_config_cache=$folder/npm bash -euo pipefail -c "$(lines "Without containers" sh | head -1)" >"$folder/log" 2>&1 ||
    { tail "$folder/log" && exit 1; }
  echo "Built after $SECONDS s."
  unshare --mount --net --pid --fork --mount-proc "$HERE/tests/local/first-request.sh" isolated "$folder" $SECONDS
  exit
fi
folder=$2 SECONDS=$3
ip link set lo up
for path in etc opt var; do
  mkdir -p "$folder/upper/$path" "$folder/work/$path"
  mount -t overlay overlay -o "lowerdir=/$path,upperdir=$folder/upper/$path,workdir=$folder/work/$path" /$path
done
# PostgreSQL as Debian installs it.
mount -t tmpfs tmpfs /run/postgresql && chown postgres: /run/postgresql
rm -rf /etc/postgresql/* /var/lib/postgresql/*
pg_createcluster "$(ls /usr/lib/postgresql | tail -1)" main --start >/dev/null
mkdir "$folder/bin"
cat >"$folder/bin/systemctl" <<'END'
#!/usr/bin/env bash
set -euo pipefail
case "$*" in
  daemon-reload) exit ;;
  "enable --now nectar" | "restart nectar") unit=nectar ;;
  "enable --now nectar-backup.timer") unit=nectar-backup ;;
  *) exit 1 ;;
esac
setting() { sed -n "s/^$1=//p" "/etc/systemd/system/$unit.service"; }
pid=/run/postgresql/nectar.pid
if [ "$1" = restart ]; then
  kill "$(<$pid)"
  while kill -0 "$(<$pid)" 2>/dev/null; do sleep 0.2; done
fi
state=$(setting StateDirectory)
[ -z "$state" ] || install --directory --owner=nobody --mode="$(setting StateDirectoryMode)" "/var/lib/$state"
mapfile -t variables < <(cat "$(setting EnvironmentFile)" && setting Environment)
read -ra command < <(setting ExecStart)
cd "$(setting WorkingDirectory)"
run=(env -i PATH="$PATH" "${variables[@]}" setpriv --reuid=nobody --regid=nogroup --clear-groups "${command[@]}")
if [ "$(setting Type)" = oneshot ]; then exec "${run[@]}"; fi
"${run[@]}" >>"$NECTAR_LOG" 2>&1 &
echo $! >$pid
until curl --silent --fail --output /dev/null http://127.0.0.1:3000/health; do
  kill -0 $! || exit 1
  sleep 0.2
done
END
chmod +x "$folder/bin/systemctl"
export PATH=$folder/bin:$PATH NECTAR_LOG=$folder/upper/nectar.log
lines "Without containers" sh | tail -n +2 >"$folder/commands"
# The table of accounts is there before the first start.
# shellcheck disable=SC2016
{
  sed '/^systemctl daemon-reload && systemctl enable --now nectar$/,$d' "$folder/commands"
  echo 'cd / && su postgres -c psql <<< "$TABLE"'
  sed -n '/^systemctl daemon-reload && systemctl enable --now nectar$/,$p' "$folder/commands"
} >"$folder/script"
TABLE=$(lines "What Nectar needs of Supabase" sql) bash -euo pipefail "$folder/script" >"$folder/log" 2>&1 ||
  { tail -n 20 "$folder/log" "$NECTAR_LOG" && exit 1; }
grep -q '"status":"ok"' "$folder/log"
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d =; }
id=$(</proc/sys/kernel/random/uuid)
su postgres -c psql >/dev/null <<<"insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
  values ('$id', 'ada@example.org', now(), '{\"full_name\": \"Ada\"}')"
. <(grep -E '^SUPABASE_' /etc/nectar.env)
claims=$(printf '{"sub":"%s","aud":"authenticated","role":"authenticated","iss":"%s/auth/v1","exp":%d}' \
  "$id" "$SUPABASE_URL" $((EPOCHSECONDS + 600)) | base64url)
claims=$(printf '{"alg":"HS256","typ":"JWT"}' | base64url).$claims
token=$claims.$(printf %s "$claims" | openssl dgst -sha256 -hmac "$SUPABASE_JWT_SECRET" -binary | base64url)
curl --silent --fail --output "$folder/entry" http://127.0.0.1:3000/api/journal -H "authorization: Bearer $token" \
  -H "content-type: application/json" -d '{"title":"A walk","content":"To the lake."}'
grep -q '"title":"A walk"' "$folder/entry"
grep -o 'Saved nectar-.*' "$folder/log"
ls /var/lib/nectar-backups/*.dump >/dev/null
echo "The first entry is written after $SECONDS s."
