// The weekly reviews in the host's own scheduler. It keeps its jobs in a database of its own, to which it gives plugins this door:
// nothing is written past it. What a person has changed of a job, its time or whether it runs, stays.

const OURS = /^holdfast-review-[0-9a-f]{8}$/;

/** Disable the jobs that did the same before, by a model: the owner has agreed to each by its id (`holdfast init openclaw`). */
export const paused = async (cron, ids, log) => {
  if (!cron || !ids?.length) return;
  for (const job of await cron.list({ includeDisabled: true })) {
    if (!ids.includes(job.id) || job.enabled === false) continue;
    await cron.update(job.id, { enabled: false });
    log.info(`holdfast: the job ${job.name ?? job.id} is paused; openclaw cron enable ${job.id} has it back`);
  }
};

/** Have each wanted review among the jobs; where the owner has said no, have none. */
export const scheduled = async (cron, reviews, wanted, log) => {
  if (!cron || wanted === undefined) return;
  const there = (await cron.list({ includeDisabled: true })).filter((job) => OURS.test(job.name ?? ""));
  for (const job of wanted === false ? there : []) {
    await cron.remove(job.id);
    log.info(`holdfast: the weekly review ${job.name} is scheduled no longer`);
  }
  for (const { name, cron: expr, argv } of reviews) {
    const payload = { kind: "command", argv };
    const [job] = there.filter((one) => one.name === name);
    if (!job) {
      await cron.add({
        name, description: "Holdfast: the weekly review of the memory", enabled: true, schedule: { kind: "cron", expr },
        sessionTarget: "isolated", wakeMode: "now", payload, delivery: { mode: "none" },
      });
      log.info(`holdfast: the weekly review is scheduled as ${name}`);
    } else if (!JSON.stringify(job.payload ?? {}).includes(JSON.stringify(argv[0]).slice(1, -1))) {
      await cron.update(job.id, { payload }); // holdfast has moved
      log.info(`holdfast: the weekly review ${name} runs ${argv[0]} from now on`);
    }
  }
};
