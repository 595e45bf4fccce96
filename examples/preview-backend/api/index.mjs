export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    return new Response(`${pathname} is served with bucket ${process.env.BUCKET}.\n`);
  },
};
