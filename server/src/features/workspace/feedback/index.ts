export { feedbackJob } from './jobs.ts'
export { feedbackRoutes } from './routes.ts'
