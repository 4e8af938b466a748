export { addressTaken, changePrimary, type Email, emailShape, insertEmails } from './queries.ts'
export { emailRoutes } from './routes.ts'
export { Email as EmailSchema } from './schemas.ts'
