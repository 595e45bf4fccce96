export DATABASE_URL=$(curl -sSf -H "Authorization: Bearer $NEON_API_KEY" \
  "$NEON_BASE_URL/api/v2/projects/$NEON_PROJECT_ID/connection_uri?database_name=neondb&role_name=neondb_owner" |
  sed 's/.*"uri":"\([^"]*\)".*/\1/; s/\\u0026/\&/g')
