. ./neon.env
curl -sSfO "$NEON_BASE_URL/neon-here.mjs"
NODE_OPTIONS="--import=$PWD/neon-here.mjs" node --test app.test.mjs
