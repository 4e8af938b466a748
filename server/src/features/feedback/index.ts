export { feedbackJob, type SendMail } from './jobs.ts'
export { feedbackRoutes } from './routes.ts'
