export { inputsKeyOf } from './inputs-key.ts'
export { type PersonAtAddress, peopleAt, personAt, placeholders, rowVersionsAt } from './person.ts'
export {
  type DrawnPreview,
  type PreviewSubject,
  placeholderPerson,
  renderPreview,
  toPreview,
} from './preview.ts'
export { dropReferences, type ReferenceHolder, saveReferences } from './queries.ts'
export { contentRoutes, type DrawPicture } from './routes.ts'
export {
  type AcceptedContent,
  acceptContent,
  exampleContentFor,
  referencesOf,
  surroundingsOf,
} from './rules.ts'
export { ContentTree, PictureQuery, Preview, PreviewInput, pictureOptionsOf, Warning } from './schemas.ts'
