// How the server's process is started, by `npm start` and by the command of an installed folder.

/**
 * A young generation of 48 MB holds what the main thread makes for requests until they are answered under full load, where
 * V8 would take 96. `node:ffi`, which an idle server uses, would print a warning.
 */
export const serverFlags = ["--max-semi-space-size=16", "--disable-warning=ExperimentalWarning"];

/**
 * glibc's allocator keeps freed memory in an arena for each thread, from which other threads take nothing, and after the
 * first large block that is freed it takes large ones from there too: uploads of all sizes then leave holes, 350 MB for 60
 * in use. Two arenas hold less, and from a megabyte on a block goes back to the system at once. Read at the start of a
 * process, hence here; other allocators do not know these names.
 */
export const serverMemory = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: String(1024 * 1024) };

/** Commands of operators, and their programs in `packages/server/src`. Each program gets the name of its command first. */
export const operatorPrograms = {
  doctor: "doctor.ts",
  backup: "back-up.ts",
  restore: "back-up.ts",
  export: "move-data.ts",
  import: "move-data.ts",
  move: "move-data.ts",
  "plan-cluster": "plan-cluster.ts",
  "restore-quarantine": "repair-columns.ts",
  "rebuild-columns": "repair-columns.ts",
  recount: "repair-columns.ts",
};
