export { previewRoutes } from './routes.ts'
export { testMailJob } from './test-mails/jobs.ts'
