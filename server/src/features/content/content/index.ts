export { inputsKeyOf } from './inputs-key.ts'
export { type PersonAtAddress, peopleAt, personAt, placeholders, rowVersionsAt } from './person.ts'
export {
  type DrawnPreview,
  placeholderPerson,
  renderPreview,
  toPreview,
} from './preview.ts'
export { dropReferences, saveReferences } from './queries.ts'
export { contentRoutes, type DrawPicture } from './routes.ts'
export {
  acceptContent,
  exampleContentFor,
  referencesOf,
  surroundingsOf,
} from './rules.ts'
export { ContentTree, PictureQuery, Preview, PreviewInput, pictureOptionsOf, Warning } from './schemas.ts'
