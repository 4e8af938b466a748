export { createFolder, findFolderByName } from './queries.ts'
export { folderRoutes } from './routes.ts'
