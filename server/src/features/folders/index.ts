export { createFolder, folderNamed } from './queries.ts'
export { folderRoutes } from './routes.ts'
