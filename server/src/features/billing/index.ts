export { hasDocument, insertDocument } from './queries.ts'
export { billingRoutes } from './routes.ts'
export { seatJobs } from './seats/jobs.ts'
export { countSeats, seatsOfPeriod } from './seats/queries.ts'
