// An OpenID Connect provider (the certified oidc-provider) with a sign-in form that accepts any
// password. Usage: node provider.js REDIRECT_URI USERS. Prints its issuer when it is listening.
// USERS is a JSON file with the claims of each user; the program reads it again for each request.
import fs from 'node:fs';
import http from 'node:http';
import { Provider } from 'oidc-provider';

const [returnAddress, people] = process.argv.slice(2);

const server = http.createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{
      client_id: 'trainyard',
      client_secret: 'a secret: with signs&',
      redirect_uris: [returnAddress],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    }],
    pkce: { methods: ['S256'], required: () => true },
    claims: { openid: ['sub'], profile: ['preferred_username', 'name'], email: ['email'], groups: ['groups'] },
    scopes: ['openid', 'profile', 'email', 'groups'],
    features: { devInteractions: { enabled: true } },
    async findAccount(ctx, id) {
      return {
        accountId: id,
        claims: () => ({ sub: id, ...JSON.parse(fs.readFileSync(people, 'utf8'))[id] }),
      };
    },
  });
  server.on('request', provider.callback());
  console.log(issuer);
});
