// Lets the command line for claimable databases, whose address is fixed in its code,
// talk to the address in CLAIM_BASE, and to nobody else.
const claimBase = new URL(process.env.CLAIM_BASE);
const send = globalThis.fetch;

globalThis.fetch = (resource, options) => {
  const url = new URL(resource instanceof Request ? resource.url : resource);
  if (url.hostname !== "neon.new") {
    throw new Error(`a request to ${url.hostname}`);
  }
  url.protocol = claimBase.protocol;
  url.host = claimBase.host;
  return send(url, options);
};
