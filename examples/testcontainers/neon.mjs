import { GenericContainer, Wait } from "testcontainers";

/** Starts Neon with a branch, and sets DATABASE_URL and the variables of its API. `stop()` of what it returns ends it. */
export async function startNeon(image = "ghcr.io/seed-a7382548/neon-emulator:latest") {
  const neon = await new GenericContainer(image)
    .withEnvironment({ NEON_EMULATOR_TOKEN: "test" })
    .withCommand(["-connect-host", "localhost"])
    .withExposedPorts(8473, { container: 5432, host: 5432 })
    .withWaitStrategy(Wait.forHealthCheck())
    .start();
  const at = `http://${neon.getHost()}:${neon.getMappedPort(8473)}/_emulator/environment`;
  const answer = await fetch(at, { headers: { Authorization: "Bearer test" } });
  for (const [, name, value] of (await answer.text()).matchAll(/^export (\w+)=(.*)$/gm)) process.env[name] = value;
  return neon;
}
