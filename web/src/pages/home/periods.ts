// The last 30 days and the 30 days before them, as days in UTC, which is how the API counts.
const dayMilliseconds = 86_400_000

const dayBefore = (days: number): string =>
  new Date(Date.now() - days * dayMilliseconds).toISOString().slice(0, 10)

export const lastDays = () => ({
  start_date: dayBefore(29),
  end_date: dayBefore(0),
  interval: 'day' as const,
})

export const daysBefore = () => ({
  start_date: dayBefore(59),
  end_date: dayBefore(30),
  interval: 'day' as const,
})
