// A stand-in for a domain controller of Active Directory: numbers of changes, deleted objects, ids inside names, long
// lists of members in parts, and pages that can be empty.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import {
  AndFilter,
  Attribute,
  BerReader,
  BerWriter,
  Control,
  EqualityFilter,
  type Filter,
  GreaterThanEqualsFilter,
  OrFilter,
  PagedResultsControl,
  PresenceFilter,
  SearchRequest,
} from 'ldapts'
import { afterFile } from '../after-file.ts'

export const domain = 'DC=ad,DC=example,DC=com'
const serviceName = `CN=NTDS Settings,CN=DC1,CN=Servers,CN=Configuration,${domain}`
const showDeleted = '1.2.840.113556.1.4.417'
const extendedDn = '1.2.840.113556.1.4.529'

export interface AdObject {
  dn: string
  readonly guid: Buffer
  /** By names in lower case. */
  readonly values: Map<string, string[]>
  readonly members: Set<AdObject>
  usn: number
  isDeleted: boolean
}

export interface FakeDomain {
  url: string
  readonly objects: Set<AdObject>
  invocationId: Buffer
  usn: number
  /** Members that one answer shows. */
  shownMembers: number
  /** True if pages without entries come in between. */
  hasEmptyPages: boolean
  /** True if the account may see deleted objects. */
  showsDeleted: boolean
  /** Entries that were sent. */
  sent: number
  add(dn: string, values: Readonly<Record<string, string | string[]>>): AdObject
  /** Writes: the number of the change is counted up. */
  change(object: AdObject, values?: Readonly<Record<string, string | string[]>>): void
  /** Renames or moves it. Objects inside it get other names, and no number of a change. */
  move(object: AdObject, dn: string): void
}

const guidText = (guid: Buffer): string => {
  const bytes = Buffer.from(guid)
  for (const [from, to] of [
    [0, 4],
    [4, 6],
    [6, 8],
  ] as const)
    bytes.subarray(from, to).reverse()
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const entries = (values: Readonly<Record<string, string | string[]>>) =>
  Object.entries(values).map(([name, value]) => [name.toLowerCase(), [value].flat()] as const)

function matches(filter: Filter, { values, usn, isDeleted }: AdObject): boolean {
  const object = { values, usn, isDeleted } as AdObject
  if (filter instanceof AndFilter) return filter.filters.every(part => matches(part, object))
  if (filter instanceof OrFilter) return filter.filters.some(part => matches(part, object))
  if (filter instanceof GreaterThanEqualsFilter) return usn >= Number(filter.value)
  // ldapts does not read which attribute is asked for: only addresses are.
  if (filter instanceof PresenceFilter) return values.has('mail') || values.has('proxyaddresses')
  if (!(filter instanceof EqualityFilter)) throw new Error(`unexpected filter ${filter.type}`)
  if (filter.attribute === 'isdeleted') return isDeleted
  const target = String(filter.value).toLowerCase()
  return (values.get(filter.attribute) ?? []).some(value => value.toLowerCase() === target)
}

/** Attributes of an object, as the request asks for them. */
function attributesOf(
  domain: FakeDomain,
  object: AdObject,
  request: SearchRequest,
  nameOf: (member: AdObject) => string,
) {
  const attributes: { type: string; values: string[] | Buffer[] }[] = []
  for (const asked of request.attributes) {
    const [, name = asked, from] = /^(.+?)(?:;range=(\d+)-\*)?$/.exec(asked) ?? []
    if (name === 'objectguid') attributes.push({ type: 'objectGUID', values: [object.guid] })
    else if (name === 'usnchanged') attributes.push({ type: 'uSNChanged', values: [String(object.usn)] })
    else if (name === 'member') {
      const all = [...object.members].filter(member => !member.isDeleted).map(nameOf)
      const first = Number(from ?? 0)
      const part = all.slice(first, first + domain.shownMembers)
      const isLast = first + part.length >= all.length
      if (isLast && from === undefined) attributes.push({ type: 'member', values: all })
      else {
        attributes.push({ type: 'member', values: [] })
        attributes.push({
          type: `member;range=${first}-${isLast ? '*' : first + part.length - 1}`,
          values: part,
        })
      }
    } else if (object.values.has(name)) attributes.push({ type: name, values: object.values.get(name) ?? [] })
  }
  return attributes
}

function write(
  socket: Socket,
  messageId: number,
  tag: number,
  body: (writer: BerWriter) => void,
  control?: Control,
) {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(messageId)
  writer.startSequence(tag)
  body(writer)
  writer.endSequence()
  if (control) {
    writer.startSequence(0xa0)
    control.write(writer)
    writer.endSequence()
  }
  writer.endSequence()
  socket.write(writer.buffer)
}

const sendResult = (socket: Socket, id: number, tag: number, status: number, control?: Control) =>
  write(
    socket,
    id,
    tag,
    writer => {
      writer.writeEnumeration(status)
      writer.writeString('')
      writer.writeString('')
    },
    control,
  )

function sendEntry(
  socket: Socket,
  id: number,
  dn: string,
  attributes: readonly { type: string; values: string[] | Buffer[] }[],
) {
  write(socket, id, 0x64, writer => {
    writer.writeString(dn)
    writer.startSequence()
    for (const attribute of attributes) new Attribute(attribute).write(writer)
    writer.endSequence()
  })
}

/** Sends the entry of the server about itself. Returns false for other entries. */
function sendOwnEntry(domain: FakeDomain, socket: Socket, { messageId, baseDN }: SearchRequest): boolean {
  const root = {
    defaultNamingContext: 'DC=ad,DC=example,DC=com',
    dsServiceName: serviceName,
    highestCommittedUSN: String(domain.usn),
  }
  const list = Object.entries(root).map(([type, value]) => ({ type, values: [value] }))
  if (baseDN === '') sendEntry(socket, messageId, '', list)
  else if (baseDN !== serviceName) return false
  else sendEntry(socket, messageId, baseDN, [{ type: 'invocationId', values: [domain.invocationId] }])
  sendResult(socket, messageId, 0x65, 0)
  return true
}

function search(domain: FakeDomain, socket: Socket, request: SearchRequest): void {
  const { messageId: id, baseDN, scope, filter, controls = [] } = request
  const has = (type: string) => controls.some(control => control.type === type)
  const nameOf = ({ guid, dn }: AdObject) =>
    has(extendedDn) ? `<GUID=${guidText(guid)}>;<SID=S-1-5-21-1>;${dn}` : dn
  const base = baseDN.toLowerCase()
  const isInScope = ({ dn }: AdObject) =>
    dn.toLowerCase() === base || (scope === 'sub' && dn.toLowerCase().endsWith(`,${base}`))
  const isShown = ({ isDeleted }: AdObject) => !isDeleted || (has(showDeleted) && domain.showsDeleted)
  const objects = [...domain.objects].filter(
    object => isInScope(object) && isShown(object) && (scope === 'base' || matches(filter, object)),
  )
  const paging = controls.find(control => control instanceof PagedResultsControl)?.value
  const [start, isAfterEmpty] = (paging?.cookie?.length ? String(paging.cookie) : '0 no').split(' ')
  const from = Number(start)
  // Every second page is empty, and has a cookie all the same.
  const size = domain.hasEmptyPages && isAfterEmpty === 'no' && paging ? 0 : (paging?.size ?? objects.length)
  const page = objects.slice(from, from + size)
  for (const object of page)
    sendEntry(socket, id, nameOf(object), attributesOf(domain, object, request, nameOf))
  domain.sent += page.length
  const next = from + page.length
  const cookie = Buffer.from(size === 0 ? `${next} yes` : next < objects.length ? `${next} no` : '')
  const status = scope === 'base' && objects.length === 0 ? 32 : 0
  sendResult(socket, id, 0x65, status, paging && new PagedResultsControl({ value: { size: 0, cookie } }))
}

/** Answers the messages that are complete. Returns the rest. */
function take(domain: FakeDomain, socket: Socket, data: Buffer): Buffer {
  const reader = new BerReader(data)
  if (reader.readSequence() === null || reader.remain < reader.length) return data
  const end = reader.offset + reader.length
  const message = new BerReader(data.subarray(0, end))
  message.readSequence()
  const messageId = message.readInt() ?? 0
  const operation = message.readSequence()
  if (operation === 0x60) sendResult(socket, messageId, 0x61, 0)
  if (operation === 0x63) {
    const request = new SearchRequest({ messageId, filter: new PresenceFilter() })
    request.parse(message, [new Control(showDeleted), new Control(extendedDn)])
    if (!sendOwnEntry(domain, socket, request)) search(domain, socket, request)
  }
  return end < data.length ? take(domain, socket, data.subarray(end)) : Buffer.alloc(0)
}

export async function startDomain(): Promise<FakeDomain> {
  let made = 0
  const state: FakeDomain = {
    url: '',
    objects: new Set(),
    invocationId: Buffer.alloc(16, 1),
    usn: 1_000,
    shownMembers: 1_500,
    hasEmptyPages: false,
    showsDeleted: true,
    sent: 0,
    add(dn, values) {
      // Bytes that are valid UTF-8, and begin like a byte order mark.
      const guid = Buffer.concat([Buffer.from('efbbbf', 'hex'), Buffer.alloc(11, 65), Buffer.alloc(2)])
      guid.writeUInt16BE(++made, 14)
      const object = { dn, guid, values: new Map(entries(values)), members: new Set<AdObject>(), usn: 0 }
      state.objects.add({ ...object, isDeleted: false })
      const [added] = [...state.objects].slice(-1) as [AdObject]
      state.change(added)
      return added
    },
    change(object, values = {}) {
      for (const [name, value] of entries(values))
        if (value.length > 0) object.values.set(name, value)
        else object.values.delete(name)
      object.usn = ++state.usn
    },
    move(object, dn) {
      const from = `,${object.dn}`
      for (const child of state.objects)
        if (child.dn.endsWith(from)) child.dn = `${child.dn.slice(0, -from.length)},${dn}`
      object.dn = dn
      state.change(object)
    },
  }
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    let rest: Buffer = Buffer.alloc(0)
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', data => {
      rest = take(state, socket, Buffer.concat([rest, data]))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterFile(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  state.url = `ldap://127.0.0.1:${(server.address() as { port: number }).port}`
  return state
}
