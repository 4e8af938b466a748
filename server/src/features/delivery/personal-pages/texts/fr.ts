import type { PageTexts } from './page-texts.ts'

const copy = 'Choisissez « Copier la signature » ci-dessus.'

export const frenchPage: PageTexts = {
  title: 'Votre signature e-mail',
  states: {
    never:
      'Votre signature est prête. Copiez-la, puis collez-la dans votre messagerie : cela prend une minute.',
    outdated: 'Une nouvelle version est disponible. Copiez la signature à nouveau et remplacez l’ancienne.',
    current:
      'Vous avez la signature actuelle. Il n’y a rien à faire ; vous pouvez la recopier à tout moment.',
  },
  noSignature:
    'Il n’y a pas encore de signature pour cette adresse. Tout va bien et il n’y a rien à faire : dès que vous en aurez une, elle sera ici.',
  copyStates: {
    current:
      'Vous avez la signature actuelle. Collez-la dans votre messagerie si vous ne l’avez pas encore fait.',
    outdated:
      'Votre signature a changé depuis l’ouverture de cette page. Rechargez la page, puis copiez la nouvelle.',
    none: 'Il n’y a plus de signature pour cette adresse. Rechargez la page pour vérifier.',
  },
  signature: 'Aperçu',
  whichSignature: 'Quelle signature ?',
  kinds: { new: 'Nouveaux messages', reply: 'Réponses' },
  subjects: { new: 'Nouveau message', reply: 'Re : Votre message' },
  sampleMail: ['Bonjour,', 'voici à quoi ressembleront vos e-mails.'],
  noReply:
    'Les réponses n’ont pas de signature : choisissez « aucune signature » pour les réponses dans votre messagerie.',
  copy: { rich: 'Copier la signature', text: 'Copier en texte brut', source: 'Copier le code HTML' },
  copied: {
    rich: 'Copié. Collez-la maintenant dans votre messagerie : les étapes sont plus bas.',
    text: 'Copié en texte brut.',
    source: 'Le code HTML est copié.',
  },
  copyRefused:
    'Votre navigateur ne permet pas de copier ici. La signature est sélectionnée : appuyez sur Ctrl+C, ou ⌘C sur un Mac.',
  byHand:
    'Les boutons de copie ont besoin de JavaScript. Sans lui, sélectionnez la signature avec la souris et copiez-la.',
  onDark: 'Afficher sur un fond sombre',
  install: 'Comment l’installer',
  likely: 'Sans doute la vôtre',
  programs: {
    gmail: {
      name: 'Gmail',
      steps: [
        copy,
        'Ouvrez Gmail sur un ordinateur, cliquez sur la roue dentée en haut à droite, puis « Voir tous les paramètres ».',
        'Sous « Général », descendez jusqu’à « Signature » et choisissez « Créer ». Le nom est libre.',
        'Cliquez dans le cadre vide et collez.',
        'En dessous, choisissez cette signature pour les nouveaux e-mails et, si vous voulez, pour les réponses.',
        'Tout en bas, choisissez « Enregistrer les modifications ».',
      ],
      note: 'L’application Gmail du téléphone a sa propre signature en texte brut : utilisez « Copier en texte brut ».',
    },
    outlook_web: {
      name: 'Outlook sur le web',
      steps: [
        copy,
        'Ouvrez Outlook dans le navigateur et cliquez sur la roue dentée en haut à droite.',
        'Allez à « Compte », puis « Signatures ». Anciennes versions : « Courrier », « Composer et répondre ».',
        'Choisissez « Ajouter une signature », ou celle que vous avez, et collez dans le cadre.',
        'Choisissez-la par défaut pour les nouveaux messages et les réponses, puis « Enregistrer ».',
      ],
    },
    new_outlook: {
      name: 'Nouvel Outlook pour Windows et Mac',
      steps: [
        copy,
        'Ouvrez les paramètres : la roue dentée en haut à droite sous Windows, « Outlook » puis « Réglages » sur Mac.',
        'Allez à « Comptes », puis « Signatures » (sur Mac, directement « Signatures »).',
        'Ajoutez une signature, ou ouvrez celle que vous avez, et collez.',
        'Choisissez-la par défaut pour les nouveaux messages et les réponses, puis enregistrez.',
      ],
    },
    classic_outlook: {
      name: 'Outlook classique pour Windows',
      steps: [
        copy,
        'Allez à « Fichier », « Options », « Courrier », puis « Signatures… ».',
        'Choisissez « Nouveau » et donnez un nom.',
        'Cliquez dans le cadre et collez avec Ctrl+V.',
        'En haut à droite, choisissez-la pour les nouveaux messages et les réponses, puis « OK ».',
      ],
    },
    outlook_phone: {
      name: 'Outlook sur téléphone',
      steps: [
        'Ouvrez cette page sur le téléphone et choisissez « Copier la signature ».',
        'Dans Outlook, touchez votre photo en haut à gauche, puis la roue dentée.',
        'Touchez « Signature », effacez le contenu, gardez le doigt sur le cadre vide et collez.',
        'Revenez en arrière ; c’est enregistré.',
      ],
      note: 'Certains téléphones ne gardent que le texte. « Copier en texte brut » est alors plus net.',
    },
    apple_mail: {
      name: 'Apple Mail',
      steps: [
        copy,
        'Dans Mail sur le Mac, choisissez « Mail », « Réglages », puis « Signatures ».',
        'Choisissez votre compte à gauche, puis « + », et donnez un nom à la signature.',
        'Décochez « Toujours utiliser ma police par défaut ».',
        'Sélectionnez le texte à droite et collez par-dessus. Fermez la fenêtre ; c’est enregistré.',
      ],
      note: 'Les images peuvent manquer dans cette fenêtre. Elles sont bien dans vos e-mails. Sur iPhone : « Réglages », « Apps », « Mail », « Signature ».',
    },
    thunderbird: {
      name: 'Thunderbird',
      steps: [
        'Choisissez « Copier le code HTML » ci-dessus.',
        'Dans Thunderbird, ouvrez le menu (☰), choisissez « Paramètres des comptes », puis votre compte.',
        'Cochez « Utiliser HTML » à côté de « Texte de signature ».',
        'Collez dans le cadre en dessous. C’est enregistré automatiquement.',
      ],
    },
  },
  details: {
    title: 'Vos informations',
    intro: 'Corrigez ce qui n’est pas juste. Votre signature suivra.',
    save: 'Enregistrer',
    done: {
      saved: 'Enregistré. Votre signature l’affiche maintenant.',
      waiting: 'Envoyé. Dès l’approbation, ce sera dans votre signature.',
      removed: 'La photo est supprimée.',
      withdrawn: 'Votre demande est retirée.',
    },
    needsApproval: 'Une modification doit être approuvée.',
    waits: current => `En attente d’approbation. D’ici là, votre signature affiche : ${current}`,
    waitsForRemoval: 'En attente d’approbation : la valeur sera supprimée.',
    approved: 'Approuvé. Votre signature l’affiche maintenant.',
    approvedRemoval: 'Approuvé : la valeur est supprimée.',
    rejected: value => `Non approuvé : ${value}`,
    reason: text => `Motif : ${text}`,
    withdraw: 'Retirer',
    empty: 'rien',
    problems: {
      text: 'Cette valeur n’est pas valide.',
      url: 'Ce n’est pas une adresse web comme https://example.com.',
      email: 'Ce n’est pas une adresse e-mail.',
      phone: 'Ce n’est pas un numéro de téléphone comme +33 1 23 45 67 89.',
      too_long: 'C’est trop long : 5 000 caractères au plus.',
      locked: 'Cette valeur ne peut plus être modifiée ici.',
    },
    someWrong: 'Rien n’a encore été enregistré : corrigez les champs marqués.',
  },
  picture: {
    none: 'Pas encore de photo',
    add: 'Ajouter une photo',
    change: 'Changer la photo',
    remove: 'Supprimer',
    waits: 'Cette photo est en attente d’approbation.',
    approved: 'Cette photo a été approuvée.',
    rejected: 'Cette photo n’a pas été approuvée.',
    needsScript: 'Pour changer la photo, JavaScript est nécessaire.',
    crop: 'Choisissez la partie affichée',
    cropHelp: 'Faites glisser l’image ou déplacez-la avec les flèches. Zoomez avec + et −.',
    zoom: 'Zoom',
    use: 'Utiliser cette photo',
    cancel: 'Annuler',
    sending: 'Envoi de la photo …',
    unreadable:
      'Ce fichier n’est pas une image que votre navigateur peut ouvrir. Choisissez un JPEG ou un PNG.',
    failed: 'La photo n’a pas pu être enregistrée. Réessayez.',
    limited: 'Trop de modifications en peu de temps. Réessayez dans quelques minutes.',
  },
  fields: {
    first_name: 'Prénom',
    last_name: 'Nom',
    job_title: 'Fonction',
    department: 'Service',
    company: 'Entreprise',
    work_phone: 'Téléphone professionnel',
    mobile_phone: 'Téléphone portable',
    calendar_link: 'Lien de l’agenda',
    profile_picture: 'Photo',
  },
  oldLink: {
    title: 'Ce lien est ancien',
    explanation: address =>
      `Pour votre sécurité, les liens vers les pages personnelles ont une durée limitée. Nous vous en envoyons volontiers un nouveau à ${address}.`,
    button: 'M’envoyer un nouveau lien',
    sentTitle: 'Regardez dans votre boîte',
    sent: address =>
      `Un nouveau lien est en route vers ${address}. S’il n’arrive pas d’ici quelques minutes, regardez dans les indésirables ou réessayez plus tard.`,
    withoutMail: 'Demandez un nouveau lien à la personne qui gère les signatures dans votre entreprise.',
  },
  missing: {
    title: 'Cette page n’existe pas',
    explanation:
      'Le lien n’est pas complet ou a été remplacé par un nouveau. Demandez le lien actuel à la personne qui vous l’a envoyé.',
  },
  problem: {
    title: 'Cela n’a pas fonctionné',
    cross_origin: 'Un autre site a envoyé ce formulaire. Rien n’a été modifié.',
    rate_limited: 'Il y a eu trop de modifications en peu de temps. Réessayez dans quelques minutes.',
    unreadable_form: 'Le formulaire n’a pas pu être lu. Rien n’a été modifié.',
    unavailable: 'Une erreur est survenue de notre côté. Réessayez dans un instant.',
    back: 'Retour à votre page',
  },
  privacy:
    'Cette page est pour vous seul : une personne qui a son adresse peut voir et modifier ce que vous voyez ici.',
}
