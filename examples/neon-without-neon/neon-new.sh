CLAIM_BASE=$NEON_CLAIM_BASE_URL NODE_OPTIONS="--import=$PWD/neon-new-here.mjs" neon-new --yes
