// SPDX-License-Identifier: Apache-2.0
// Puts N jobs into graphile-worker's queue in bulk, drains them with one worker in its fastest mode, and
// prints {"count": N, "seconds": S, "memory_mib": M}. With --add-only it makes the schema and nothing else.
// Where: PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE.
//
// Fastest mode, found by trying (see README.md): jobs fetched in blocks by a local queue, completions written
// in batches, a task that does nothing, no line logged a job, prepared statements.
// The clock runs from the worker's start, its schema and connections being there, to the commit of the last
// completion.

process.env.NO_LOG_SUCCESS = "1";

import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: {
    jobs: { type: "string", default: "200000" },
    payload: { type: "string" },
    "local-queue": { type: "string", default: "500" },
    "complete-delay": { type: "string", default: "0" },
    concurrency: { type: "string", default: "24" },
    "add-only": { type: "boolean", default: false },
  },
});
const count = Number(options.jobs);

const { Logger, run, runMigrations } = await import("graphile-worker");
const { default: pg } = await import("pg");

const silent = new Logger(() => () => {});
const pgPool = new pg.Pool({ max: 10 });
pgPool.on("error", (error) => console.error(error));
pgPool.on("connect", (connection) => connection.on("error", (error) => console.error(error)));
const shared = { pgPool, logger: silent };

await runMigrations(shared);

const client = new pg.Client();
await client.connect();
if (!options["add-only"]) {
  await client.query("truncate graphile_worker._private_jobs");
  for (let done = 0; done < count; done += 10000) {
    await client.query(
      `select count(*) from graphile_worker.add_jobs((
         select array_agg(('noop', $1::json, null, null, null, null, null, null)::graphile_worker.job_spec)
           from generate_series(1, $2::int)))`,
      [options.payload, Math.min(10000, count - done)],
    );
  }
  await client.query("vacuum analyze graphile_worker._private_jobs");
  await client.query("checkpoint");

  let seen = 0;
  let last;
  const allSeen = new Promise((resolve) => (last = resolve));
  const begin = performance.now();
  const runner = await run({
    ...shared,
    concurrency: Number(options.concurrency),
    noHandleSignals: true,
    preset: {
      worker: {
        localQueue: { size: Number(options["local-queue"]) },
        completeJobBatchDelay: Number(options["complete-delay"]),
        failJobBatchDelay: Number(options["complete-delay"]),
      },
    },
    taskList: {
      noop: () => {
        if (++seen === count) last();
      },
    },
  });
  await allSeen;
  await runner.stop();
  const seconds = (performance.now() - begin) / 1000;

  const left = await client.query("select count(*)::int as n from graphile_worker._private_jobs");
  if (left.rows[0].n !== 0) throw new Error(`${left.rows[0].n} jobs are left`);
  const status = await readFile("/proc/self/status", "utf8");
  const memory = Number(/VmHWM:\s+(\d+)/.exec(status)[1]) / 1024;
  console.log(JSON.stringify({ count, seconds, memory_mib: Math.round(memory) }));
}
await client.end();
await pgPool.end();
