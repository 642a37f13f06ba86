/** What each type of profile measures and whose stacks it shows, as people read it. */
export const explanations = {
  goroutine:
    "A goroutine profile counts the goroutines that exist at one moment; each stack shows where its goroutines wait or run, not how long they have done so.",
  mutex:
    "A mutex profile measures how long goroutines waited for locks; each stack shows the code that held the lock and let it go, not the code that waited.",
  block:
    "A block profile measures how long goroutines waited for channels, locks, conditions and each other; each stack shows the code that waited, idle workers included, not the code it waited for.",
  custom:
    "A custom profile counts what the program itself adds and removes; each stack shows the code that added what still counts.",
} as const;
