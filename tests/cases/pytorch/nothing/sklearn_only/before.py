"""Trains a scikit-learn model: names like shuffle, optimizer and epoch mean nothing to us here."""
from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.neural_network import MLPClassifier

optimizer = "adam"
epochs = 30
X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X / 16, y, shuffle=True, random_state=0)
clf = MLPClassifier((64,), solver=optimizer, batch_size=32, max_iter=epochs, shuffle=True)
for epoch in range(3):
    clf.partial_fit(X_train, y_train, classes=range(10))
    print(epoch, clf.score(X_test, y_test))
print(cross_val_score(clf, X, y, cv=3))
