#!/usr/bin/env bash
# Shows the provider at work on a machine that has nothing but Go: the real terraform creates, changes and destroys everything
# in examples/quickstart, and a pull request's preview environment, on an emulator of its own. `make demo` builds both
# programs into bin/ and runs it, with the path of terraform; ALL=1 shows all that terraform prints.
set -euo pipefail
cd "$(dirname "$0")/../.."
terraform=$1
folder=$(mktemp -d)
bin=$PWD/bin
export TF_CLI_CONFIG_FILE=$bin/neon.tfrc TF_CLI_ARGS=-no-color TF_INPUT=0 TF_IN_AUTOMATION=1 CHECKPOINT_DISABLE=1

finish() {
  code=$?
  kill "${NEON_EMULATOR_PID:-}" 2>/dev/null || true
  rm -rf "$folder"
  [ "$code" = 0 ] || echo "The demo failed in step $n." >&2
}
trap finish EXIT

n=0 headline='' command='' plain=''
if [ -t 1 ]; then headline=$'\e[1;36m' command=$'\e[32m' plain=$'\e[0m'; fi

step() {
  n=$((n + 1))
  printf '\n%s%d/10  %s%s\n' "$headline" $n "$1" "$plain"
}

# What happens, of all that terraform prints; what a plan changes, where PLANS is set.
events='^neon_.*complete after|^(Apply|Destroy) complete|^Plan:|^No changes|Warning:'
planned='^ {2}# |^ +[-+~}]|^ +# \('

# terraform_in FOLDER ARGUMENTS... runs terraform in a copy of an example. What goes wrong is shown whole.
terraform_in() {
  local example=$1
  shift
  printf '  %s$%s terraform %s\n' "$command" "$plain" "$*"
  "$terraform" -chdir="$folder/$example" "$@" 2>"$folder/problems" | tee "$folder/said" |
    { grep --line-buffered -E "${ALL:+|}$events${PLANS:+|$planned}" || true; } | sed -u 's/^/  /' || { cat "$folder/problems" >&2; return 1; }
}

copy() {
  echo "  In a copy of examples/$1:"
  cp -r "examples/$1" "$folder/$1"
  "$terraform" -chdir="$folder/$1" init >"$folder/said" 2>&1 || { cat "$folder/said" >&2; return 1; }
}

api() { curl -sSf -H "Authorization: Bearer $NEON_API_KEY" "$NEON_BASE_URL/api/v2/$1" "${@:2}"; }

count() { { grep -o "\"$1\":" || true; } | wc -l; }

held() {
  printf '%8d' "$(api "projects?org_id=$NEON_ORG_ID" | count platform_id)" \
    "$(api "api_keys" | count created_by)" "$(api "organizations/$NEON_ORG_ID/api_keys" | count created_by)"
}

# ask URI STATEMENTS prints rows. Without PostgreSQL, there is nothing to ask.
ask() {
  if [ -z "${DATABASE_URL:-}" ] || ! command -v psql >/dev/null; then
    echo '  Left out: this machine has no PostgreSQL.'
    return
  fi
  printf '  %s;\n' "$2"
  psql --no-psqlrc --quiet --tuples-only --no-align --field-separator=', ' --command="$2" "$1" | sed 's/^/    /'
}

step 'Start an emulator of Neon: from here on, this machine has a Neon of its own'
"$bin/neon-emulator" -detach -listen 127.0.0.1:0 -connect-host localhost -env-file "$folder/neon.env" >/dev/null
. "$folder/neon.env"
echo "  It listens on $NEON_BASE_URL, where a page shows what follows. No account, no key, no network."
# The emulator begins with a project; the demo creates its own.
api "projects/$NEON_PROJECT_ID" -o /dev/null -X DELETE
before=$(held)

step 'Create a project, a branch with two endpoints, a role, a database and keys'
copy quickstart
terraform_in quickstart apply -auto-approve
during=$(held)
TF_VAR_project_id=$("$terraform" -chdir="$folder/quickstart" output -raw project_id)
export TF_VAR_project_id

step 'Plan again: nothing to do'
terraform_in quickstart plan -detailed-exitcode

step 'Change one setting: in place, and no other endpoint is touched'
change=(-var suspend_timeout_seconds=600)
PLANS=1 terraform_in quickstart apply -auto-approve "${change[@]}"
grep -q '0 added, 1 changed, 0 destroyed' "$folder/said"

step 'Write three rows into the branch main'
uri=$(api "projects/$TF_VAR_project_id/connection_uri?database_name=neondb&role_name=neondb_owner" | sed -E 's/.*"uri": *"([^"]*)".*/\1/')
ask "$uri" "CREATE TABLE fruit AS SELECT * FROM (VALUES ('apple', 'red'), ('plum', 'blue'), ('pear', 'green')) AS f (name, color)"

step "Open pull request 17, and lose Neon's answer to the creation of its branch"
copy preview-environment
curl -sSf -o /dev/null -d '{"route": "POST /api/v2/projects/{project_id}/branches", "kind": "lost_after", "count": 1}' "$NEON_BASE_URL/_emulator/faults"
terraform_in preview-environment apply -auto-approve -var pull_request=17
lost=$(curl -sSf "$NEON_BASE_URL/_emulator/faults" | grep -c '"hits": *1' || true)
branches=$(api "projects/$TF_VAR_project_id/branches" | grep -o '"name": *"preview/pr-17"' | wc -l)
echo "  Neon created the branch, and the connection broke before its answer (answers lost: $lost). The provider"
echo "  looked for the branch instead of creating another (branches named preview/pr-17: $branches)."
[ "$lost" = 1 ] && [ "$branches" = 1 ]

step 'Read the rows through the connection string of the pull request'
ask "$("$terraform" -chdir="$folder/preview-environment" output -raw database_url)" 'SELECT name, color FROM fruit ORDER BY name'

step 'Close pull request 17'
terraform_in preview-environment destroy -auto-approve -var pull_request=17

step 'Destroy everything'
terraform_in quickstart destroy -auto-approve "${change[@]}"

step 'Count what Neon holds'
after=$(held)
echo '              projects keys organization keys'
printf '  %-10s%s\n' 'at first' "$before" applied "$during" destroyed "$after"
echo '  The claimable database is in no account, and expires by itself.'
[ "$before" = "$after" ]

printf '\n%sDone in %d seconds.%s For a configuration of your own: docs/guides/getting-started.md\n' "$headline" $SECONDS "$plain"
