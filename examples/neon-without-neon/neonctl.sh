neonctl --api-host "$NEON_BASE_URL/api/v2" --no-analytics branches create --project-id "$NEON_PROJECT_ID" --name from-neonctl
neonctl --api-host "$NEON_BASE_URL/api/v2" --no-analytics branches list --project-id "$NEON_PROJECT_ID"
