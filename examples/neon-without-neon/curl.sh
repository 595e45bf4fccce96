api=$NEON_BASE_URL/api/v2/projects/$NEON_PROJECT_ID
auth="Authorization: Bearer $NEON_API_KEY"
json='Content-Type: application/json'

curl -sSf -H "$auth" -H "$json" -d '{"branch": {"name": "staging"}, "endpoints": [{"type": "read_write"}]}' "$api/branches"
curl -sSf -H "$auth" "$api/branches"
