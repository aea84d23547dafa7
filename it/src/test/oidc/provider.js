// An OpenID Connect provider (the certified oidc-provider) with two people and a form to sign in.
// node provider.js RETURN_ADDRESS: prints its issuer when it listens.
import http from 'node:http';
import { Provider } from 'oidc-provider';

const people = {
  alice: { email: 'alice@example.org', groups: ['researchers', 'everybody'] },
  mallory: { email: 'm@example.org', groups: [], preferred_username: 'admin' },
};

const server = http.createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{
      client_id: 'trainyard',
      client_secret: 'a secret: with signs&',
      redirect_uris: [process.argv[2]],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    }],
    pkce: { methods: ['S256'], required: () => true },
    claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email'], groups: ['groups'] },
    scopes: ['openid', 'profile', 'email', 'groups'],
    features: { devInteractions: { enabled: true } },
    async findAccount(ctx, id) {
      const person = people[id] || { groups: [] };
      return {
        accountId: id,
        claims: () => ({ sub: id, preferred_username: id, ...person }),
      };
    },
  });
  server.on('request', provider.callback());
  console.log(issuer);
});
