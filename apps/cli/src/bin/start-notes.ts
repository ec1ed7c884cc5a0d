/** What a run tells the program that started it. */
export type StartNotes = {
  /** What kind of run it is: runs of one kind use much the same code. */
  readonly ran: (kind: string) => void;
  /** Everything is written, and what is still open may be left to the end of the process. */
  readonly left: () => void;
};
