export default {
  async fetch(request) {
    return new Response(`You asked for ${new URL(request.url).pathname}.`);
  },
};
