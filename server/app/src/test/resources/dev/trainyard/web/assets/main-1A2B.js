console.log("the whole application, as it were, which is a long, long text in the test");
