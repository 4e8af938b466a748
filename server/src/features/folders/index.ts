export { createFolder, hasFolder } from './queries.ts'
export { folderRoutes } from './routes.ts'
