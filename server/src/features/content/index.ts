export { type Drawn, drawn, type PreviewOf, preview } from './preview.ts'
export { contentRoutes } from './routes.ts'
export { type Accepted, acceptContent, surroundingsOf } from './rules.ts'
export { ContentTree, Preview, Warning } from './schemas.ts'
