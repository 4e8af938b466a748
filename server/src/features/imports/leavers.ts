// The limit for people who become inactive because they are not in a file: a file that was cut off, or of one
// department only, must not switch off a company.

const leastAllowed = 10
const allowedShare = 0.1

/** Whether so many of all active people are more than an import switches off without a confirmation. */
export const needsConfirmation = (leaving: number, active: number): boolean =>
  leaving > Math.max(leastAllowed, active * allowedShare)
