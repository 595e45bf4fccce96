# The next two creations of a branch are refused, and the one after that is served.
curl -sSf -d '{"route": "POST /api/v2/projects/{project_id}/branches", "kind": "status", "status": 503, "retry_after": 1, "count": 2}' \
  "$NEON_BASE_URL/_emulator/faults"

# What is under test: here it is curl.
curl -sSf --retry 3 -H "Authorization: Bearer $NEON_API_KEY" -H 'Content-Type: application/json' \
  -d '{"branch": {"name": "after-two-refusals"}}' "$NEON_BASE_URL/api/v2/projects/$NEON_PROJECT_ID/branches"

# How often each fault was met.
curl -sSf "$NEON_BASE_URL/_emulator/faults"
