#!/usr/bin/env bash
# Creates, updates or deletes the database of a pull request, in this folder.
#
#   preview.sh up     creates it, or brings it up to date; DATABASE_URL is set for the
#                     steps of the job that follow, and masked in its log
#   preview.sh schema writes what the pull request has changed in the schema to
#                     schema.md, for a comment
#   preview.sh down   deletes it
set -euo pipefail
cd "$(dirname "$0")"

export TF_INPUT=0 TF_IN_AUTOMATION=1

case ${1:-} in
  up)
    terraform init
    terraform apply -auto-approve
    url=$(terraform output -raw database_url)
    password=${url#*://*:}
    echo "::add-mask::$url"
    echo "::add-mask::${password%%@*}"
    echo "DATABASE_URL=$url" >>"$GITHUB_ENV"
    ;;
  schema)
    terraform apply -refresh-only -auto-approve
    changes=$(terraform output -raw schema_changes)
    if [[ -n $changes ]]; then
      printf '### Changes of the schema\n\n```diff\n%s\n```\n' "$changes" >schema.md
    else
      printf 'This pull request leaves the schema as it is.\n' >schema.md
    fi
    ;;
  down)
    terraform init
    # Without reading the parent, which may have another name by now.
    terraform destroy -auto-approve -refresh=false
    ;;
  *)
    echo "usage: $0 up|schema|down" >&2
    exit 2
    ;;
esac
