import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freeDiskBytesMin } from "#store/data-folder.ts";

export interface EngineMemory {
  /** Limit of all memory that the engine allocates, caches and merges included. */
  readonly memoryBytesMax: number;
  /** With less free disk space the engine refuses inserts. */
  readonly freeDiskBytesMin?: number;
}

/** With less memory the caches shrink alike: together they take a fifth. */
const ampleBytes = 500_000_000;

/**
 * Writes chDB's server configuration into the data folder and returns its path. Sized for two cores. Threads that idle are ended:
 * each keeps its stack, and after minutes of uploads there were 190. The engine compares its memory with the system's every half second:
 * by default it does so 20 times a second, which took an eighth of the CPU of an idle server. A table whose merges and deletions find
 * all background threads busy asks again at once: by default it pauses for up to a second, and a recount made of such deletions took ten.
 * Parts that merges replaced are looked for every half minute: after an idle time, by default, every five minutes.
 */
export function writeEngineConfig(dataDir: string, memory: EngineMemory): string {
  mkdirSync(dataDir, { recursive: true });
  const backups = join(dataDir, "backups");
  const file = join(dataDir, "engine.xml");
  const cache = (bytesMax: number) => Math.floor(bytesMax * Math.min(1, memory.memoryBytesMax / ampleBytes));
  writeFileSync(
    file,
    `<clickhouse>
  <max_server_memory_usage>${memory.memoryBytesMax}</max_server_memory_usage>
  <mark_cache_size>${cache(33_554_432)}</mark_cache_size>
  <index_mark_cache_size>${cache(8_388_608)}</index_mark_cache_size>
  <primary_index_cache_size>${cache(33_554_432)}</primary_index_cache_size>
  <query_condition_cache_size>${cache(8_388_608)}</query_condition_cache_size>
  <compiled_expression_cache_size>${cache(16_777_216)}</compiled_expression_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <mmap_cache_size>0</mmap_cache_size>
  <memory_worker_period_ms>500</memory_worker_period_ms>
  <max_thread_pool_free_size>16</max_thread_pool_free_size>
  <background_pool_size>2</background_pool_size>
  <background_schedule_pool_size>4</background_schedule_pool_size>
  <background_processing_pool_thread_sleep_seconds_if_nothing_to_do>0.02</background_processing_pool_thread_sleep_seconds_if_nothing_to_do>
  <background_processing_pool_task_sleep_seconds_when_no_work_random_part>0.01</background_processing_pool_task_sleep_seconds_when_no_work_random_part>
  <background_fetches_pool_size>1</background_fetches_pool_size>
  <background_common_pool_size>2</background_common_pool_size>
  <merge_tree>
    <max_cleanup_delay_period>30</max_cleanup_delay_period>
    <merge_max_block_size_bytes>2097152</merge_max_block_size_bytes>
    <number_of_free_entries_in_pool_to_lower_max_size_of_merge>1</number_of_free_entries_in_pool_to_lower_max_size_of_merge>
    <number_of_free_entries_in_pool_to_execute_mutation>1</number_of_free_entries_in_pool_to_execute_mutation>
    <number_of_free_entries_in_pool_to_execute_optimize_entire_partition>1</number_of_free_entries_in_pool_to_execute_optimize_entire_partition>
    <min_free_disk_bytes_to_perform_insert>${memory.freeDiskBytesMin ?? freeDiskBytesMin}</min_free_disk_bytes_to_perform_insert>
  </merge_tree>
  <backups><allowed_path>${escapeXml(backups)}</allowed_path></backups>
</clickhouse>
`,
    { mode: 0o600 },
  );
  return file;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
